import { Agent, type IncomingMessage, request } from 'node:http'
import { checkAnswer } from './checkAnswer.ts'

/** A parsed response of the service. */
export type ApiAnswer<Body> = { status: number; headers: Headers; body: Body }

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape, and a wrong member fails the test
type Loose = any

/**
 * Used instead of `fetch`, which takes three times the processor time per request; the tests make a hundred thousand. A
 * connection is closed after one idle second, long before the service closes it: on a busy machine, a request on a
 * connection that the service is just closing gets no response.
 */
const agent = new Agent({ keepAlive: true, timeout: 1_000 })

/** Base URLs of services of another release, whose responses may lack what this one has added. */
export const otherReleases = new Set<string>()

/**
 * Calls the service as any client would.
 *
 * A successful response of an operation of this release is held to its schema.
 *
 * @throws TypeError as `fetch` does, if there is no complete response; Error if a response does not match its schema.
 */
export async function api<Body = Loose>(
  baseUrl: string,
  method: string,
  path: string,
  options: { body?: unknown; bearer?: string; headers?: Record<string, string> } = {},
): Promise<ApiAnswer<Body>> {
  const sent = options.body === undefined ? undefined : JSON.stringify(options.body)
  const headers = {
    accept: '*/*',
    ...(sent === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
    ...(options.bearer === undefined ? {} : { authorization: `Bearer ${options.bearer}` }),
    ...options.headers,
  }
  const { answer, text } = await exchange(new URL(baseUrl + path), { method, headers }, sent)
  const status = answer.statusCode ?? 0
  const parsed = text === '' ? null : JSON.parse(text)
  if (!otherReleases.has(baseUrl)) checkAnswer(method, path, status, parsed)
  return { status, headers: new Headers(pairsOf(answer.rawHeaders)), body: parsed }
}

type RequestHead = { method: string; headers: Record<string, string | number> }

function exchange(url: URL, requestHead: RequestHead, body: string | undefined) {
  return new Promise<{ answer: IncomingMessage; text: string }>((resolve, reject) => {
    const fail = (cause: Error) => reject(new TypeError(`no response from ${url.href}`, { cause }))
    const pending = request(url, { ...requestHead, agent }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('error', fail)
      answer.on('end', () => resolve({ answer, text }))
    })
    pending.on('error', fail)
    pending.end(body)
  })
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? ''])
}
