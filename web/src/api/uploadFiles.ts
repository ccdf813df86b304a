import { ApiFailure } from './apiFailure.ts'
import { session } from './session.ts'

const TIMEOUT_MS = 120_000

/**
 * Uploads a form with files as the signed-in user and reports the progress, from 0 to 1.
 *
 * Uses XMLHttpRequest because `fetch` reports no upload progress.
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
    const xhr = new XMLHttpRequest()
    const failToReach = () =>
      reject(new ApiFailure('NETWORK_ERROR', 'The pictures did not reach the service. Try again.'))
    xhr.open('POST', path)
    xhr.timeout = TIMEOUT_MS
    xhr.setRequestHeader('Accept', 'application/json')
    xhr.setRequestHeader('Authorization', `Bearer ${session.token()}`)
    xhr.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    xhr.onerror = failToReach
    xhr.ontimeout = failToReach
    xhr.onload = () => {
      const answer = parseJson(xhr.responseText)
      if (xhr.status < 300) resolve(answer as Answer)
      else reject(toApiFailure(xhr, answer))
    }
    xhr.send(form)
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function toApiFailure(xhr: XMLHttpRequest, answer: unknown): ApiFailure {
  const envelope = (answer ?? {}) as { code?: string; message?: string; errors?: ApiFailure['errors'] }
  return new ApiFailure(
    envelope.code ?? `HTTP_${xhr.status}`,
    envelope.message ?? 'The service did not explain what went wrong.',
    {
      status: xhr.status,
      requestId: xhr.getResponseHeader('x-request-id'),
      errors: envelope.errors ?? [],
    },
  )
}
