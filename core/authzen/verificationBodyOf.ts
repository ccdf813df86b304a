import type { FieldError } from '../fieldErrors.ts'
import type { Evaluation } from './evaluation.ts'

/** A body for verify-access, and where in the evaluation each of its members came from (JSON pointers). */
export type MappedBody = {
  body: Record<string, unknown>
  pointers: Readonly<Record<string, string>>
  /** Known members in an object where they are not read. */
  misplaced: FieldError[]
}

/** A subject of this type has no identity: the endpoint's policy for unverified agents decides. */
const ANONYMOUS = 'anonymous'
/** A resource of this type is the endpoint itself. */
const ENDPOINT = 'endpoint'

/** Members read from the objects that AuthZEN leaves open; it requires others there to be ignored. */
const MEMBERS = {
  '/subject/properties': ['subAgent', 'certifications'],
  '/action/properties': ['transactionValue', 'currency', 'sessionDuration'],
  '/resource/properties': ['counterpartyId', 'counterpartyUrl', 'counterpartyType'],
  '/context': [
    'jurisdiction',
    'attemptId',
    'callHash',
    'callerMetadata',
    'credentials',
    'intentProof',
    'agentToken',
    'mandate',
    'createSession',
    'enableRuntimeChallenge',
    'includeReceipt',
    'dryRun',
  ],
} as const

/**
 * Maps an AuthZEN evaluation to the body of verify-access.
 *
 * The subject is the agent, the action is its purpose, and the resource is the resource; `docs/authzen.md` has the whole
 * table. An action name with a separator contains category and action. Without one it is the category, unless
 * `action.properties.purpose` states the category. Members that are not known are ignored, as the standard requires.
 *
 * Source: AuthZEN Authorization API 1.0 §5; `Spec: POST /api/agents/verify-access`.
 */
export function verificationBodyOf({ subject, action, resource, context }: Evaluation): MappedBody {
  const body: Record<string, unknown> = {}
  const pointers: Record<string, string> = {}
  const put = (member: string, value: unknown, pointer: string): void => {
    if (value === undefined || value === null) return
    body[member] = value
    pointers[member] = pointer
  }
  const sources = {
    '/subject/properties': subject.properties,
    '/action/properties': action.properties,
    '/resource/properties': resource.properties,
    '/context': context,
  }
  for (const [name, members] of Object.entries(MEMBERS)) {
    const source = sources[name as Place]
    for (const member of members) put(member, source?.[member], `${name}/${member}`)
  }
  if (subject.type !== ANONYMOUS) put('agentId', subject.id, '/subject/id')

  const category = action.properties?.purpose ?? undefined
  put(
    'purpose',
    category ?? action.name,
    category === undefined ? '/action/name' : '/action/properties/purpose',
  )
  if (category !== undefined) put('action', action.name, '/action/name')

  if (resource.type === ENDPOINT) {
    // The properties must not name another endpoint.
    for (const member of ['counterpartyId', 'counterpartyUrl']) delete body[member]
    const isIdentifier = resource.id.startsWith('SVCE-')
    put(isIdentifier ? 'counterpartyId' : 'counterpartyUrl', resource.id, '/resource/id')
    put('resource', resource.properties?.resource, '/resource/properties/resource')
    put('resourceType', resource.properties?.resourceType, '/resource/properties/resourceType')
  } else {
    put('resource', resource.id, '/resource/id')
    put('resourceType', resource.type, '/resource/type')
  }
  return { body, pointers, misplaced: findMisplaced(sources) }
}

type Place = keyof typeof MEMBERS

/** A fact that was sent and not read would be decided as if it had not been stated. */
function findMisplaced(sources: Record<Place, Record<string, unknown> | undefined>): FieldError[] {
  const places = Object.keys(MEMBERS) as Place[]
  const homes = new Map<string, Place>(
    places.flatMap((place) => MEMBERS[place].map((member): [string, Place] => [member, place])),
  )
  return places.flatMap((place) =>
    Object.entries(sources[place] ?? {}).flatMap(([member, value]) => {
      const home = homes.get(member)
      if (home === undefined || home === place || value === undefined || value === null) return []
      const message = `belongs in ${home}/${member}`
      return [{ pointer: `${place}/${member}`, code: 'misplaced', message }]
    }),
  )
}
