import { Agent, type IncomingMessage, request } from 'node:http'
import { checkAnswer } from './checkAnswer.ts'

/** One answer of the service, parsed. */
export type ApiAnswer<Body> = { status: number; headers: Headers; body: Body }

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape, and a wrong member fails the test
type Loose = any

/**
 * Not `fetch`, which takes three times the processor time for a request, of which the tests make a hundred thousand. A
 * connection is given up after an idle second, long before the service closes it: on a busy machine one that was used
 * again just then had no answer.
 */
const agent = new Agent({ keepAlive: true, timeout: 1_000 })

/**
 * Calls the service as any client would.
 *
 * A successful answer of an operation is held to its schema.
 *
 * @throws TypeError as `fetch` does, when there is no whole answer; Error for an answer that is not what its schema says.
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
  checkAnswer(method, path, status, parsed)
  return { status, headers: new Headers(pairsOf(answer.rawHeaders)), body: parsed }
}

type Sent = { method: string; headers: Record<string, string | number> }

function exchange(url: URL, how: Sent, body: string | undefined) {
  return new Promise<{ answer: IncomingMessage; text: string }>((resolve, reject) => {
    const fail = (cause: Error) => reject(new TypeError(`no answer of ${url.href}`, { cause }))
    const asking = request(url, { ...how, agent }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('error', fail)
      answer.on('end', () => resolve({ answer, text }))
    })
    asking.on('error', fail)
    asking.end(body)
  })
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? ''])
}
