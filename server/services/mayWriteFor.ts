import type { Principal } from './principal.ts'

/** Whether a caller may change what belongs to an owner; a viewer of an organisation only reads. */
export function mayWriteFor(principal: Principal, ownerId: string): boolean {
  return (principal.kind === 'apiKey' || principal.kind === 'session') && principal.writesFor.has(ownerId)
}
