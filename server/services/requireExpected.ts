import { apiError } from '../errors.ts'
import { type SettingsKind, tagSettings } from './tagSettings.ts'

/** Whether the caller expects settings with this entity tag; without a precondition, it expects any. */
export type Expectation = (tag: string) => boolean

/**
 * Refuses to change settings that are not those the caller expects. Call it in the transaction that changes them.
 *
 * @throws ApiError PRECONDITION_FAILED. Source: RFC 9110 §13.1.1.
 */
export function requireExpected(isExpected: Expectation, kind: SettingsKind, before: object): void {
  if (!isExpected(tagSettings(kind, before))) throw apiError('PRECONDITION_FAILED')
}
