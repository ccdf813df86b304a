import { createFaultRun } from '../harness/faults/createFaultRun.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { type ApiAnswer, api } from '../harness/service/api.ts'

const VERIFY = '/api/agents/verify-access'

type Decided = {
  auditRecordId: string
  recommendation: string
  identityProof?: string
  stepUpApproval?: { approvalId: string }
}

export type ReleaseLoad = ReturnType<typeof loadReleases>

/**
 * Loads the processes of several releases, which come and go. Every request must be decided, except by a process that is
 * being stopped, which may refuse it or close the connection unread.
 *
 * @param bearer API key of the counterparty.
 */
export function loadReleases(bearer: string) {
  const run = createFaultRun()
  /** Base URL of the process that decided, by record. */
  const answered = new Map<string, string>()
  /** Those of them that were not requested by the load itself. */
  const checked = new Set<string>()
  const counts = new Map<string, number>()
  const serving: string[] = []
  const stopping = new Set<string>()
  let refused = 0
  let isEnded = false

  /** Sends a request; null if a process that is being stopped did not take it. */
  async function sendTo<Body>(
    baseUrl: string,
    send: () => Promise<ApiAnswer<Body>>,
  ): Promise<ApiAnswer<Body> | null> {
    try {
      const answer = await send()
      counts.set(baseUrl, (counts.get(baseUrl) ?? 0) + 1)
      if (answer.status < 500) return answer
      const mayRefuse = answer.status === 503 && stopping.has(baseUrl)
      run.require('no request fails while its process is not being stopped', mayRefuse, { baseUrl, answer })
    } catch (error) {
      if (!(error instanceof TypeError && stopping.has(baseUrl))) throw error
    }
    refused += 1
    return null
  }

  async function verify(
    baseUrl: string,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<Decided | null> {
    const answer = await sendTo<Decided>(baseUrl, () =>
      api(baseUrl, 'POST', VERIFY, { bearer, body, headers }),
    )
    if (answer === null) return null
    run.require('every request is decided', answer.status === 200, { baseUrl, body, answer })
    answered.set(answer.body.auditRecordId, baseUrl)
    return answer.body
  }

  return {
    answered,
    checked,
    /** How many requests the processes that were being stopped did not take. */
    refused: () => refused,
    /** As `verify`, of a process that is not being stopped. */
    async decide(baseUrl: string, body: object, headers?: Record<string, string>): Promise<Decided> {
      const decided = await verify(baseUrl, body, headers)
      if (decided === null) throw new Error(`${baseUrl} is being stopped`)
      checked.add(decided.auditRecordId)
      return decided
    },
    /** Sends it requests from now on. */
    serve(baseUrl: string): void {
      stopping.delete(baseUrl)
      serving.push(baseUrl)
    },
    /** Stops a process while requests to it continue; returns what `end` does. */
    async stop<Result>(baseUrl: string, end: () => Promise<Result>): Promise<Result> {
      stopping.add(baseUrl)
      const ended = await end()
      serving.splice(serving.indexOf(baseUrl), 1)
      return ended
    },
    /** Resolves once each of these processes has answered so many further requests. */
    async answersFrom(baseUrls: readonly string[], further: number): Promise<void> {
      const before = new Map(counts)
      const isDone = (url: string) => (counts.get(url) ?? 0) - (before.get(url) ?? 0) >= further
      await waitUntil(async () => {
        run.signal.throwIfAborted()
        return baseUrls.every(isDone) ? true : null
      })
    },
    /**
     * Starts clients that send the requests one after another, to each process in turn. The result ends them.
     *
     * @param requests Each is granted.
     */
    start(clients: number, requests: readonly (() => object)[]): () => Promise<void> {
      let sent = 0
      const client = async () => {
        while (!isEnded && !run.signal.aborted) {
          const nth = sent++
          const baseUrl = serving[Math.floor(nth / requests.length) % serving.length]
          const body = requests[nth % requests.length]?.()
          if (baseUrl === undefined || body === undefined) throw new Error('no process serves')
          const decided = await verify(baseUrl, body)
          const isGranted = decided === null || decided.recommendation === 'grant'
          run.require('both releases grant what they may', isGranted, { baseUrl, body, decided })
        }
      }
      const driven = run.drive(Array.from({ length: clients }, () => client))
      // The failure is reported by whoever waits for the load next.
      driven.catch(() => undefined)
      return async () => {
        isEnded = true
        await driven
      }
    },
  }
}
