import { type Processes, startProcesses } from './startProcesses.ts'

export type TwoProcesses = Processes

/** Starts two server processes concurrently over one empty PostgreSQL and one development chain. */
export function startTwoProcesses(more: Record<string, string> = {}): Promise<TwoProcesses> {
  return startProcesses(2, more)
}
