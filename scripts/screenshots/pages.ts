import type { Seeded } from './seed.ts'

/** A page to draw: the name of its pictures, its address and what it shows. */
export type DashboardPage = { name: string; path: string; shows: string }

/** Every page of the dashboard for somebody who is signed in; some stand for their empty state. */
export function listSeededPages(seeded: Seeded): DashboardPage[] {
  const { organizationId, svcId, svceId, approvalId, requestId, eventId, invitationToken } = seeded
  return [
    { name: 'overview', path: '/', shows: 'Overview: decisions over time, what waits, anchoring' },
    { name: 'approvals', path: '/approvals', shows: 'Approvals that wait' },
    {
      name: 'approval',
      path: `/activity/pending/${approvalId}`,
      shows: 'A held request, to approve or deny',
    },
    { name: 'activity', path: '/activity', shows: 'Activity, live' },
    { name: 'event', path: `/activity/${eventId}`, shows: 'A decision and its proof' },
    { name: 'agents', path: '/agents', shows: 'Agents' },
    { name: 'agent', path: `/agents/${svcId}`, shows: 'An agent, as its owner sees it' },
    { name: 'register-agent', path: '/agents/register', shows: 'Registration of an agent, step by step' },
    { name: 'registration-requests', path: '/registration-requests', shows: 'Registration requests' },
    {
      name: 'registration-request',
      path: `/registration-requests/${requestId}`,
      shows: 'A registration request',
    },
    { name: 'endpoints', path: '/endpoints', shows: 'Endpoints' },
    { name: 'endpoint', path: `/endpoints/${svceId}`, shows: 'An endpoint, its policy and its routes' },
    { name: 'register-endpoint', path: '/endpoints/register', shows: 'Registration of an endpoint' },
    { name: 'alerts', path: '/alerts', shows: 'Alerts' },
    { name: 'audit', path: '/audit', shows: 'Audit: the log, a record, an export, every batch' },
    { name: 'api-keys', path: '/api-keys', shows: 'API keys' },
    { name: 'organisations', path: '/organisations', shows: 'Organisations' },
    {
      name: 'organisation',
      path: `/organisations/${organizationId}`,
      shows: 'An organisation: members and who is invited',
    },
    { name: 'account', path: '/account', shows: 'Account: passkeys, password, authenticator app, sessions' },
    { name: 'kyd', path: '/kyd', shows: 'Verification of one’s identity' },
    {
      name: 'invitation',
      path: `/invitations/${invitationToken}`,
      shows: 'An invitation into an organisation',
    },
    { name: 'not-found', path: '/nowhere', shows: 'An address that leads nowhere' },
  ]
}

/** Pages for who is not signed in. */
export const PUBLIC_PAGES: readonly DashboardPage[] = [
  { name: 'sign-in', path: '/', shows: 'Sign-in and all its ways' },
  { name: 'forgot-password', path: '/forgot-password', shows: 'A forgotten password' },
  { name: 'reset-password', path: '/reset-password?token=x', shows: 'A new password by a mailed link' },
  {
    name: 'sign-in-callback',
    path: '/sign-in/callback#error=access_denied',
    shows: 'The way back from an identity provider that said no',
  },
  { name: 'verify-email', path: '/verify-email?token=x', shows: 'Confirmation of an address' },
]

/** Empty states, of an account that has just been opened. */
export const EMPTY_PAGES: readonly DashboardPage[] = [
  { name: 'overview-empty', path: '/', shows: 'Overview of a new account' },
  { name: 'agents-empty', path: '/agents', shows: 'No agents yet' },
  { name: 'endpoints-empty', path: '/endpoints', shows: 'No endpoints yet' },
  { name: 'approvals-empty', path: '/approvals', shows: 'Nothing to approve' },
  { name: 'registration-requests-empty', path: '/registration-requests', shows: 'No registration requests' },
]

/** Pages for those who review identities. */
export const OPERATOR_PAGES: readonly DashboardPage[] = [
  { name: 'operator', path: '/operator', shows: 'Identity review' },
]

/** The page of one identity that waits for its review. */
export function caseUnderReview(id: string): DashboardPage {
  return { name: 'operator-case', path: `/operator/${id}`, shows: 'An identity under review' }
}
