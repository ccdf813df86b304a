import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import { matchGlobNaively } from '../glob/matchGlobNaively.ts'
import type { ArbitraryCase } from './arbitraryCases.ts'
import { outsideList } from './outsideList.ts'

/** Whether a scope leaves out the resource of a request or its type. */
export function outsideResources(
  scope: Pdlss['scope'],
  { resource, resourceType }: ArbitraryCase['request'],
): boolean {
  if (resourceType !== undefined && outsideList(scope?.resourceTypes, resourceType.toLowerCase())) return true
  if (resource === undefined) return false
  const allowed = scope?.resources ?? []
  const denied = scope?.deniedResources ?? []
  if (readsOtherwise(resource)) return allowed.length + denied.length > 0
  const isDenied = denied.some((glob) =>
    readingsOf(resource).some((reading) => matchGlobNaively(glob, reading)),
  )
  return isDenied || (allowed.length > 0 && !isAllowed(allowed, resource))
}

/** Whether another text than the one that was written may be meant. */
export function readsOtherwise(resource: string): boolean {
  const decoded = decodeURIComponent(resource)
  return decoded.split('/').some((segment) => ['.', '..'].includes(segment.split(';')[0] ?? ''))
}

/** Whether both the resource and its decoded form match one of the globs. */
export function isAllowed(globs: readonly string[], resource: string): boolean {
  return [resource, decodeURIComponent(resource)].every((text) =>
    globs.some((glob) => matchGlobNaively(glob, text)),
  )
}

/** Every subset of what a router may ignore, in turn; the globs of the random cases are in lower case. */
function readingsOf(resource: string): string[] {
  const steps: ((text: string) => string)[] = [
    decodeURIComponent,
    (text) => text.toLowerCase(),
    (text) => text.split('#')[0] ?? '',
    (text) => text.split('?')[0] ?? '',
    (text) => (text.includes('://') ? `/${text.split('/').slice(3).join('/')}` : text),
    (text) => text.split(';')[0] ?? '',
    (text) =>
      text
        .split('/')
        .map((segment) => segment.split(';')[0])
        .join('/'),
    (text) => text.replaceAll('//', '/'),
    (text) => (text.length > 1 && text.endsWith('/') ? text.slice(0, -1) : text),
  ]
  return Array.from({ length: 2 ** steps.length }, (_, subset) =>
    steps.reduce((text, step, index) => ((subset >> index) % 2 === 1 ? step(text) : text), resource),
  )
}
