import type { Principal } from './principal.ts'

/** Whether a caller may change an owner's resources; a viewer of an organisation may only read them. */
export function mayWriteFor(principal: Principal, ownerId: string): boolean {
  return (principal.kind === 'apiKey' || principal.kind === 'session') && principal.writesFor.has(ownerId)
}
