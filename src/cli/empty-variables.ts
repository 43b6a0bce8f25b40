/** Forgets variables of Quotebook that are set to nothing, as a shell has them by `NAME=`; an empty password is one. */
export function forgetEmpty(env: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(env))
    if (/^QUOTEBOOK_(?!.*PASSWORD$)/.test(name) && value?.trim() === '') Reflect.deleteProperty(env, name)
}
