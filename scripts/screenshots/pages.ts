import type { Seeded } from './seed.ts'

/** A page of the dashboard: the name of its screenshots, its path and what it shows. */
export type DashboardPage = { name: string; path: string; shows: string }

/** Lists every page of the dashboard for a signed-in user of the seeded service. */
export function listSeededPages(seeded: Seeded): DashboardPage[] {
  const { organizationId, svcId, svceId, approvalId, requestId, eventId, invitationToken } = seeded
  return [
    { name: 'overview', path: '/', shows: 'Overview: decisions over time, pending work' },
    { name: 'approvals', path: '/approvals', shows: 'Pending approvals' },
    {
      name: 'approval',
      path: `/activity/pending/${approvalId}`,
      shows: 'A held request, to approve or deny',
    },
    { name: 'activity', path: '/activity', shows: 'Activity, live' },
    { name: 'event', path: `/activity/${eventId}`, shows: 'A decision and its proof' },
    { name: 'agents', path: '/agents', shows: 'Agents' },
    { name: 'agent', path: `/agents/${svcId}`, shows: 'An agent: its traffic, denials and caps' },
    ...listTabs('agent', `/agents/${svcId}`, AGENT_TABS),
    { name: 'adopt-agent', path: '/agents/adopt', shows: 'Adoption of an agent of another registry' },
    { name: 'register-agent', path: '/agents/register', shows: 'Registration of an agent, step by step' },
    { name: 'registration-requests', path: '/registration-requests', shows: 'Registration requests' },
    {
      name: 'registration-request',
      path: `/registration-requests/${requestId}`,
      shows: 'A registration request',
    },
    { name: 'endpoints', path: '/endpoints', shows: 'Endpoints' },
    { name: 'endpoint', path: `/endpoints/${svceId}`, shows: 'An endpoint: its traffic, denials and caps' },
    ...listTabs('endpoint', `/endpoints/${svceId}`, ENDPOINT_TABS),
    { name: 'register-endpoint', path: '/endpoints/register', shows: 'Registration of an endpoint' },
    { name: 'alerts', path: '/alerts', shows: 'Alerts' },
    { name: 'audit', path: '/audit', shows: 'Audit: the log, a record, an export, every batch' },
    { name: 'api-keys', path: '/api-keys', shows: 'API keys' },
    { name: 'organisations', path: '/organisations', shows: 'Organisations' },
    {
      name: 'organisation',
      path: `/organisations/${organizationId}`,
      shows: 'An organisation: members and invitations',
    },
    { name: 'account', path: '/account', shows: 'Account: passkeys, password, authenticator app, sessions' },
    { name: 'kyd', path: '/kyd', shows: 'Identity verification' },
    {
      name: 'invitation',
      path: `/invitations/${invitationToken}`,
      shows: 'An invitation to an organisation',
    },
    { name: 'confirm-email', path: '/verify-email?token=x', shows: 'Confirmation of an email address' },
    { name: 'proof', path: `/verify/${eventId}`, shows: 'The public proof of a record' },
    { name: 'not-found', path: '/nowhere', shows: 'An unknown address' },
  ]
}

/** The further tabs of a page, and what they show. */
type Tabs = Readonly<Record<string, string>>

const AGENT_TABS: Tabs = {
  integrate: 'An agent: snippets for its code',
  boundary: 'An agent: its boundary in sentences',
  rules: 'An agent: approval rules',
  keys: 'An agent: its keys',
  events: 'An agent: its events',
  settings: 'An agent: settings',
}

const ENDPOINT_TABS: Tabs = {
  integrate: 'An endpoint: snippets for a server',
  policy: 'An endpoint: its policy, boundary and routes',
  allowlist: 'An endpoint: allowlist',
  webhooks: 'An endpoint: webhooks and their deliveries',
  events: 'An endpoint: its events',
  settings: 'An endpoint: settings',
}

function listTabs(page: string, path: string, tabs: Tabs): DashboardPage[] {
  return Object.entries(tabs).map(([tab, shows]) => ({
    name: `${page}-${tab}`,
    path: `${path}?tab=${tab}`,
    shows,
  }))
}

/** Pages for visitors who are not signed in. */
export const PUBLIC_PAGES: readonly DashboardPage[] = [
  { name: 'landing', path: '/', shows: 'What a visitor finds: what this is, a decision to try, sign-in' },
  { name: 'sign-in', path: '/activity', shows: 'Sign-in, with all its methods' },
  { name: 'forgot-password', path: '/forgot-password', shows: 'A forgotten password' },
  { name: 'reset-password', path: '/reset-password?token=x', shows: 'A new password, from an emailed link' },
  {
    name: 'sign-in-callback',
    path: '/sign-in/callback#error=access_denied',
    shows: 'The return from an identity provider that denied access',
  },
  { name: 'status', path: '/status', shows: 'The status of the service' },
  { name: 'proof-unknown', path: '/verify/x', shows: 'The proof of a record that nobody has made' },
  { name: 'verify-email', path: '/verify-email?token=x', shows: 'Sign-in, to confirm an email address' },
]

/** Empty states, for an account that has just been created. */
export const EMPTY_PAGES: readonly DashboardPage[] = [
  { name: 'overview-empty', path: '/', shows: 'Overview of a new account' },
  { name: 'agents-empty', path: '/agents', shows: 'No agents yet' },
  { name: 'endpoints-empty', path: '/endpoints', shows: 'No endpoints yet' },
  { name: 'approvals-empty', path: '/approvals', shows: 'Nothing to approve' },
  { name: 'registration-requests-empty', path: '/registration-requests', shows: 'No registration requests' },
]

/** Pages for operators. */
export const OPERATOR_PAGES: readonly DashboardPage[] = [
  { name: 'operator', path: '/operator', shows: 'Identity review' },
  { name: 'moderation', path: '/moderation', shows: 'Moderation: accounts' },
  {
    name: 'moderation-organisations',
    path: '/moderation/organisations',
    shows: 'Moderation: organisations',
  },
  { name: 'moderation-endpoints', path: '/moderation/endpoints', shows: 'Moderation: endpoints' },
  { name: 'moderation-platforms', path: '/moderation/platforms', shows: 'Moderation: platforms' },
]

/** Returns the page of one identity that awaits review. */
export function buildCasePage(id: string): DashboardPage {
  return { name: 'operator-case', path: `/operator/${id}`, shows: 'An identity under review' }
}
