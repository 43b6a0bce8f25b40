declare module '#locale' {
  const readLocale: () => Readonly<Record<string, string>>
  export default readLocale
}
