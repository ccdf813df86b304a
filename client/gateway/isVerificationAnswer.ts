import type { VerificationAnswer } from './verificationAnswer.ts'

/** Levels are told on in headers. */
const LEVEL = /^[a-z][a-z-]{0,31}$/
/** No header with a meaning of its own: the host would answer something else than it means to. */
const WARNING_NAME = /^x-[a-z0-9-]{1,60}$/i
const WARNING_VALUE = /^[\x20-\x7e]{0,500}$/

/**
 * Whether an answer is one of verify-access: its members that decide, or are set as headers, are what they are to be.
 *
 * A recommendation or a level of a later version still is one; what it is worth is settled where it is used.
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
