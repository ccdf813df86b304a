/** The other side of `askProcess`: runs the job that the parent sends and sends back what comes of it. */
export function answerParent<Job>(run: (job: Job) => Promise<unknown>): void {
  process.once('message', async (message: { job: Job }) => {
    const answer = await run(message.job)
    process.send?.(answer, () => process.disconnect())
  })
}
