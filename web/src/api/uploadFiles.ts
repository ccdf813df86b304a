import { ApiFailure } from './apiFailure.ts'
import { session } from './session.ts'

const TIMEOUT_MS = 120_000

/**
 * Sends a form with files as whoever is signed in, and tells how much has gone out, 0 to 1.
 *
 * `fetch` cannot tell that, so this is the one place that asks in the older way.
 *
 * @throws ApiFailure.
 */
export async function uploadFiles<Answer>(
  path: string,
  form: FormData,
  onProgress: (share: number) => void,
): Promise<Answer> {
  try {
    return await send<Answer>(path, form, onProgress)
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error
    await session.refresh()
    return send<Answer>(path, form, onProgress)
  }
}

function send<Answer>(path: string, form: FormData, onProgress: (share: number) => void): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest()
    const unreached = () =>
      reject(new ApiFailure('NETWORK_ERROR', 'The pictures did not reach the service. Send them again.'))
    sending.open('POST', path)
    sending.timeout = TIMEOUT_MS
    sending.setRequestHeader('Accept', 'application/json')
    sending.setRequestHeader('Authorization', `Bearer ${session.token()}`)
    sending.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    sending.onerror = unreached
    sending.ontimeout = unreached
    sending.onload = () => {
      const answer = parsed(sending.responseText)
      if (sending.status < 300) resolve(answer as Answer)
      else reject(failureOf(sending, answer))
    }
    sending.send(form)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function failureOf(sending: XMLHttpRequest, answer: unknown): ApiFailure {
  const envelope = (answer ?? {}) as { code?: string; message?: string; errors?: ApiFailure['errors'] }
  return new ApiFailure(
    envelope.code ?? `HTTP_${sending.status}`,
    envelope.message ?? 'The service answered without saying what happened.',
    {
      status: sending.status,
      requestId: sending.getResponseHeader('x-request-id'),
      errors: envelope.errors ?? [],
    },
  )
}
