/** Returns the result of some work, or `late` if it takes longer than `ms`; the work itself goes on. */
export function settleWithin<Result>(work: Promise<Result>, ms: number, late: Result): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, late)
    work.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}
