/** A time zone as a function: the offset from UTC that holds at an instant. */
export type Zone = {
  /** Milliseconds to add to UTC; `now` in epoch milliseconds. */
  offsetAt: (now: number) => number
}
