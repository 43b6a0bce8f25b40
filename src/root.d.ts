declare module '#root' {
  const root: string
  export default root
}
