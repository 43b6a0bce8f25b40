/** The error that something fails with. @throws Error when it does not fail */
export async function failure(promise: Promise<unknown>): Promise<Error & { code: string }> {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(error instanceof Error)) throw new Error('it did not fail')
  return error as Error & { code: string }
}
