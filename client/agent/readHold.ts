import { readText } from '../http/readResponse.ts'

/** A request that a counterparty holds until the agent's owner has decided. */
export type Hold = {
  attemptId: string
  /** Milliseconds until the request may be sent again. */
  pauseMs: number
}

const RESEND_SECONDS = { min: 1, max: 60, default: 5 }
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Reads which attempt a response holds for the owner's approval; null if it is any other response, which is left unread.
 *
 * Source: Spec: Step-up approval object.
 */
export async function readHold(response: Response): Promise<Hold | null> {
  if (response.status !== 202 || !isJson(response)) return null
  const attemptId = readAttemptId(await readText(response.clone()))
  return attemptId === null ? null : { attemptId, pauseMs: readPause(response) }
}

/** Whether a response is JSON; anything else may be long, or never end. */
export function isJson({ headers }: Response): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers.get('content-type') ?? '')
}

function readAttemptId(text: string | undefined): string | null {
  try {
    const body = JSON.parse(text ?? '')
    const attemptId: unknown = body.stepUpApproval.attemptId
    const isHeld = body.code === 'step_up_required' && typeof attemptId === 'string' && GUID.test(attemptId)
    return isHeld ? attemptId : null
  } catch {
    return null
  }
}

function readPause({ headers }: Response): number {
  const given = headers.get('retry-after') ?? ''
  const seconds = /^\d{1,6}$/.test(given) ? Number(given) : RESEND_SECONDS.default
  return Math.min(Math.max(seconds, RESEND_SECONDS.min), RESEND_SECONDS.max) * 1000
}
