import type { Dispatcher } from 'undici'
import type { Forwarding } from './forwardRequest.ts'
import { passHeaders } from './passHeaders.ts'
import { explainFailure, type Question, type Upstream } from './upstream.ts'

/**
 * Sends a request without a body on to the server and its response back; resolves when the response is closed.
 *
 * The bytes of the response go from the server's connection to the caller's without a stream between them, which would take
 * longer than all else with a short one.
 *
 * @throws UpstreamFailure if the server does not answer; nothing has been sent to the caller then.
 */
export function forwardExchange(
  upstream: Upstream,
  { res, responseHeaders }: Pick<Forwarding, 'res' | 'responseHeaders'>,
  question: Question,
): Promise<void> {
  let exchange: Dispatcher.DispatchController | undefined
  let hasHead = false
  let hasBytes = false
  const leave = () => exchange?.abort(new Error('the caller has left'))
  const breakOff = () => void res.destroy()
  return new Promise((resolve, reject) => {
    const closed = () => {
      leave()
      resolve()
    }
    if (res.destroyed) return resolve()
    res.on('close', closed).on('error', breakOff)
    upstream.exchange(question, {
      onRequestStart(controller) {
        exchange = controller
        if (res.destroyed) leave()
      },
      onResponseStart(controller, status, headers, statusText) {
        // Of what comes before the response, such as 103, nothing passes.
        if (status < 200) return
        const rawHeaders = (controller.rawHeaders as Buffer[]).map((part) => part.toString('latin1'))
        res.writeHead(status, statusText, [
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
        // There is nothing to abort any more, and the stack of an error takes longer than all else here.
        exchange = undefined
        res.end()
      },
      onResponseError(_, error) {
        if (hasHead) return breakOff()
        res.off('close', closed).off('error', breakOff)
        if (res.destroyed) resolve()
        else reject(explainFailure(error))
      },
    })
  })
}
