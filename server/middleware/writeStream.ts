import type { ServerResponse } from 'node:http'
import type { Answer, AnswerStream } from './call.ts'
import { INTERFACE_VERSION } from './writeAnswer.ts'
import type { ErrorLog } from './writeError.ts'

/**
 * Starts a streamed response and returns immediately.
 *
 * The reader sets the pace: the next chunk is requested when the previous one has been sent, and a reader that takes
 * nothing for `stallMs` is disconnected. A failure closes the connection, because the status has been sent.
 */
export function writeStream(
  log: ErrorLog,
  res: ServerResponse,
  answer: Answer & { stream: AnswerStream },
  requestId: string,
  extra: Record<string, string>,
): void {
  res.writeHead(answer.status ?? 200, {
    'Content-Type': answer.contentType ?? 'application/octet-stream',
    'X-Request-Id': requestId,
    'X-Svc-Version': INTERFACE_VERSION,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    ...extra,
    ...answer.headers,
  })
  pump(res, answer.stream).catch((error: unknown) => {
    log.error({ requestId, err: error }, 'a stream could not go on')
    res.destroy()
  })
}

async function pump(res: ServerResponse, { chunks, stallMs }: AnswerStream): Promise<void> {
  const gone = new AbortController()
  res.once('close', () => gone.abort())
  res.on('error', () => gone.abort())
  // A reader that disconnected earlier emits no further event.
  if (res.destroyed) gone.abort()
  for await (const chunk of chunks(gone.signal)) {
    if (gone.signal.aborted) break
    if (res.write(chunk)) continue
    if (!(await isTaken(res, stallMs, gone.signal))) {
      res.destroy()
      break
    }
  }
  if (!gone.signal.aborted) res.end()
}

/**
 * Resolves to true when the reader has taken the buffered data, and to false when it did not in time or has disconnected.
 */
function isTaken(res: ServerResponse, stallMs: number, gone: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (taken: boolean) => {
      clearTimeout(timer)
      res.off('drain', onDrain)
      gone.removeEventListener('abort', onGone)
      resolve(taken)
    }
    const onDrain = () => settle(true)
    const onGone = () => settle(false)
    const timer = setTimeout(onGone, stallMs)
    res.once('drain', onDrain)
    gone.addEventListener('abort', onGone, { once: true })
  })
}
