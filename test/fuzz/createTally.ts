import type { HostileRequest } from './arbitraryRequest.ts'
import { findResponseFault } from './findResponseFault.ts'
import type { openSender } from './sendHostile.ts'

/** Sends requests, counts the responses, and keeps one request for each kind of fault. */
export function createTally() {
  const statuses = new Map<number, number>()
  const faults = new Map<string, string>()
  /** Operations that succeeded at least once. */
  const succeeded = new Set<string>()

  return {
    faults,
    succeeded,
    async send(sender: ReturnType<typeof openSender>, one: HostileRequest, seed: number): Promise<void> {
      const name = `${one.operation.method} ${one.operation.path}`
      const fault = await sender.send(one).then(
        (answer) => {
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          if (answer.status < 400 && !one.isElsewhere) succeeded.add(name)
          return findResponseFault(one, answer)
        },
        (error: Error) => error.message,
      )
      if (fault !== null) faults.set(`${name}: ${fault}`, `FUZZ_SEED=${seed} ${describeRequest(one)}`)
    },
    describeStatuses: () =>
      [...statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
    describeFaults: () => [...faults].map(([fault, request]) => `${fault}\n${request}`).join('\n\n'),
  }
}

function describeRequest({ method, target, headers, body, credential }: HostileRequest): string {
  const text = body?.toString('latin1').slice(0, 600)
  return JSON.stringify({ method, target: target.slice(0, 300), headers, body: text, credential })
}
