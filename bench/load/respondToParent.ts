/** The other side of `runInProcess`: runs the job that the parent sends, and returns its result. */
export function respondToParent<Job>(run: (job: Job) => Promise<unknown>): void {
  process.once('message', async (message: { job: Job }) => {
    const answer = await run(message.job)
    process.send?.(answer, () => process.disconnect())
  })
}
