import { revealText } from '../parts/code/revealText.ts'
import type { IconName } from '../parts/Icon.tsx'

/** Something to go to. */
export type Finding = { to: string; name: string; about: string; icon: IconName }

const KINDS = {
  agent: { path: '/agents', about: 'Agent', icon: 'agents' },
  endpoint: { path: '/endpoints', about: 'Endpoint', icon: 'endpoints' },
  organisation: { path: '/organisations', about: 'Organisation', icon: 'organisations' },
  record: { path: '/activity', about: 'Audit record', icon: 'audit' },
  approval: { path: '/activity/pending', about: 'Request for approval', icon: 'approvals' },
  registration: { path: '/registration-requests', about: 'Registration request', icon: 'requests' },
} as const satisfies Record<string, { path: string; about: string; icon: IconName }>

/** Describes what was found by its kind; control characters of names are shown. */
export function describeFinding(kind: keyof typeof KINDS, id: string, name: string): Finding {
  const { path, about, icon } = KINDS[kind]
  return { to: `${path}/${id}`, name: revealText(name), about, icon }
}
