import type { ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { onceGone } from './onceGone.ts'
import { passHeaders } from './passHeaders.ts'
import { type Question, toUpstreamFailure, type Upstream } from './upstream.ts'

type Exchange = { res: ServerResponse; responseHeaders: Readonly<Record<string, string>> }

/**
 * Sends a request without a body on to the server and its response back; resolves when the response is complete, or its
 * caller has left.
 *
 * The bytes of the response go from one connection to the other without a stream between them, which for a short response
 * would take longer than everything else.
 *
 * @throws UpstreamFailure if the server does not answer; nothing has been sent to the caller then.
 */
export function forwardExchange(
  upstream: Upstream,
  { res, responseHeaders }: Exchange,
  question: Question,
): Promise<void> {
  let exchange: Dispatcher.DispatchController | undefined
  let hasHead = false
  let hasBytes = false
  const leave = () => exchange?.abort(new Error('the caller has left'))
  const breakOff = () => void res.destroy()
  return new Promise((resolve, reject) => {
    const stop = onceGone(res, () => {
      leave()
      resolve()
    })
    res.on('error', breakOff)
    upstream.exchange(question, {
      onRequestStart(controller) {
        exchange = controller
        if (res.req.socket.destroyed) leave()
      },
      onResponseStart(controller, status, headers, statusText = '') {
        // Of what comes before the response, such as 103, nothing passes.
        if (status < 200) return
        const rawHeaders = (controller.rawHeaders as Buffer[]).map((part) => part.toString('latin1'))
        // Its bytes are read as UTF-8, and written as Latin-1.
        res.writeHead(status, Buffer.from(statusText).toString('latin1'), [
          ...passHeaders({ rawHeaders, headers: { connection: String(headers.connection ?? '') } }),
          ...Object.entries(responseHeaders).flat(),
        ])
        hasHead = true
        // Server-sent events may have no byte for a long time; a byte that is there goes with the headers.
        queueMicrotask(() => {
          if (!hasBytes && !res.writableEnded && !res.destroyed) res.flushHeaders()
        })
      },
      onResponseData(controller, bytes) {
        hasBytes = true
        if (res.write(bytes)) return
        controller.pause()
        res.once('drain', () => controller.resume())
      },
      onResponseEnd() {
        // Nothing is left to abort, and an error with its stack would take longer than everything else here.
        exchange = undefined
        res.end()
      },
      onResponseError(_, error) {
        if (hasHead) return breakOff()
        stop()
        res.off('error', breakOff)
        if (res.req.socket.destroyed) resolve()
        else reject(toUpstreamFailure(error))
      },
    })
  })
}
