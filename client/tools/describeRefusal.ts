import { parseUrl } from '@svc/core/url/url.ts'
import type { Refusal } from './refusedError.ts'

/** Longer than any text of a gateway; a counterparty must not fill the context of a model. */
const TEXT_LENGTH_MAX = 500
const FAILURES_MAX = 20

/**
 * Describes the refusal of a gateway in words for a model; null if it is none.
 *
 * @param content The parsed body of a response, or the content of a tool's result.
 * @param registryOrigin Origin of the agent's registry. The address of an approval is named only if it is there: a
 *   counterparty must not be able to send the owner elsewhere. The registry itself notifies the owner in any case.
 */
export function describeRefusal(content: unknown, registryOrigin: string | undefined): Refusal | null {
  if (!isObject(content)) return null
  const { success, code, message } = content
  if (success !== false || typeof code !== 'string' || typeof message !== 'string') return null
  if (code !== 'step_up_required')
    return { code, text: `Refused (${shorten(code)}): ${explain(content)}`, body: content }
  const { attemptId, approvalUrl, expiresAt } = isObject(content.stepUpApproval) ? content.stepUpApproval : {}
  const text = [
    'Not carried out: the owner of the agent has to approve this request and has not decided yet.',
    isAt(approvalUrl, registryOrigin) ? `The owner can approve it at ${approvalUrl}.` : '',
    isTime(expiresAt) ? `The approval can be given until ${expiresAt}.` : '',
    'Repeat exactly the same request once it is approved.',
  ]
  return {
    code,
    text: text.filter(Boolean).join(' '),
    attemptId: typeof attemptId === 'string' ? attemptId : undefined,
    body: content,
  }
}

/** Each sentence once: why, per dimension, and what to do next. */
function explain({ message, guidance, failures, advisory }: Readonly<Record<string, unknown>>): string {
  const dimensions = (Array.isArray(failures) ? failures : []).slice(0, FAILURES_MAX).filter(isObject)
  const texts = [message, guidance, ...dimensions.flatMap((failure) => [failure.message, failure.guidance])]
  if (isObject(advisory) && typeof advisory.registrationUrl === 'string')
    texts.push(`Agents register at ${advisory.registrationUrl}.`)
  const told = texts.filter((text) => typeof text === 'string').map(shorten)
  return [...new Set(told)].join(' ')
}

function shorten(text: string): string {
  return text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text
}

function isAt(url: unknown, origin: string | undefined): boolean {
  return typeof url === 'string' && origin !== undefined && parseUrl(url)?.origin === origin
}

function isTime(time: unknown): boolean {
  return typeof time === 'string' && time.length < 40 && !Number.isNaN(Date.parse(time))
}

function isObject(content: unknown): content is Readonly<Record<string, unknown>> {
  return typeof content === 'object' && content !== null && !Array.isArray(content)
}
