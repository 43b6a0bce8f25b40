declare module '#import-module' {
  const importModule: (url: string) => Promise<Readonly<Record<string, unknown>>>
  export default importModule
}
