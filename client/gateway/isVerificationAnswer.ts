import type { VerificationAnswer } from '@svc/core/contract/verification.ts'

/** A level is passed on in a header. */
const LEVEL = /^[a-z][a-z-]{0,31}$/
/** Only a custom header: one with a standard meaning would change the host's response. */
const WARNING_NAME = /^x-[a-z0-9-]{1,60}$/i
const WARNING_VALUE = /^[\x20-\x7e]{0,500}$/

/**
 * Checks whether a value is an answer of verify-access: the members that decide, or that are sent as headers, are valid.
 *
 * Unknown recommendations and levels, of a later version of the service, are valid; the code that uses them decides what
 * they allow.
 *
 * Source: Spec: Verification response.
 */
export function isVerificationAnswer(answer: unknown): answer is VerificationAnswer {
  if (typeof answer !== 'object' || answer === null) return false
  const { success, recommendation, access, warningHeader } = answer as Partial<VerificationAnswer>
  const isDecision =
    success === true && typeof recommendation === 'string' && typeof access?.allowed === 'boolean'
  return isDecision && isText(access.accessLevel, LEVEL) && isWarning(warningHeader)
}

function isWarning(warning: VerificationAnswer['warningHeader'] | null): boolean {
  if (warning === undefined || warning === null) return true
  return isText(warning.name, WARNING_NAME) && isText(warning.value, WARNING_VALUE)
}

function isText(value: unknown, shape: RegExp): boolean {
  return typeof value === 'string' && shape.test(value)
}
