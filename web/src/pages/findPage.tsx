import { type ComponentType, type LazyExoticComponent, lazy, type ReactNode } from 'react'
import { matchPath } from '../router/matchPath.ts'

type Row = {
  pattern: string
  /** May be seen without an account. */
  isPublic?: boolean
  page: (params: Record<string, string>) => ReactNode
}

/** A page whose code is loaded when it is first shown. */
function later<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load() }))
}

const AccountPage = later(async () => (await import('./account/AccountPage.tsx')).AccountPage)
const ActivityPage = later(async () => (await import('./activity/ActivityPage.tsx')).ActivityPage)
const AgentPage = later(async () => (await import('./agents/AgentPage.tsx')).AgentPage)
const AgentsPage = later(async () => (await import('./agents/AgentsPage.tsx')).AgentsPage)
const AlertsPage = later(async () => (await import('./AlertsPage.tsx')).AlertsPage)
const ApiKeysPage = later(async () => (await import('./apiKeys/ApiKeysPage.tsx')).ApiKeysPage)
const ApprovalsPage = later(async () => (await import('./approvals/ApprovalsPage.tsx')).ApprovalsPage)
const AuditPage = later(async () => (await import('./audit/AuditPage.tsx')).AuditPage)
const ConfirmEmailPage = later(async () => (await import('./signIn/ConfirmEmailPage.tsx')).ConfirmEmailPage)
const EndpointPage = later(async () => (await import('./endpoints/EndpointPage.tsx')).EndpointPage)
const EndpointsPage = later(async () => (await import('./endpoints/EndpointsPage.tsx')).EndpointsPage)
const EventPage = later(async () => (await import('./activity/EventPage.tsx')).EventPage)
const ForgotPasswordPage = later(
  async () => (await import('./signIn/ForgotPasswordPage.tsx')).ForgotPasswordPage,
)
const InvitationPage = later(async () => (await import('./organisations/InvitationPage.tsx')).InvitationPage)
const KydPage = later(async () => (await import('./kyd/KydPage.tsx')).KydPage)
const NotFoundPage = later(async () => (await import('./NotFoundPage.tsx')).NotFoundPage)
const OperatorCasePage = later(async () => (await import('./operator/OperatorCasePage.tsx')).OperatorCasePage)
const OperatorPage = later(async () => (await import('./operator/OperatorPage.tsx')).OperatorPage)
const OrganisationPage = later(
  async () => (await import('./organisations/OrganisationPage.tsx')).OrganisationPage,
)
const OrganisationsPage = later(
  async () => (await import('./organisations/OrganisationsPage.tsx')).OrganisationsPage,
)
const OverviewPage = later(async () => (await import('./overview/OverviewPage.tsx')).OverviewPage)
const PendingApprovalPage = later(
  async () => (await import('./approvals/PendingApprovalPage.tsx')).PendingApprovalPage,
)
const RegisterAgentPage = later(
  async () => (await import('./registerAgent/RegisterAgentPage.tsx')).RegisterAgentPage,
)
const RegisterEndpointPage = later(
  async () => (await import('./endpoints/RegisterEndpointPage.tsx')).RegisterEndpointPage,
)
const RegistrationRequestPage = later(
  async () => (await import('./registrationRequests/RegistrationRequestPage.tsx')).RegistrationRequestPage,
)
const RegistrationRequestsPage = later(
  async () => (await import('./registrationRequests/RegistrationRequestsPage.tsx')).RegistrationRequestsPage,
)
const ResetPasswordPage = later(
  async () => (await import('./signIn/ResetPasswordPage.tsx')).ResetPasswordPage,
)
const SignInCallbackPage = later(
  async () => (await import('./signIn/SignInCallbackPage.tsx')).SignInCallbackPage,
)

/** The pages by address; the first that matches is shown. */
const PAGES: readonly Row[] = [
  { pattern: '/', page: () => <OverviewPage /> },
  { pattern: '/account', page: () => <AccountPage /> },
  { pattern: '/activity', page: () => <ActivityPage /> },
  { pattern: '/activity/pending/:id', page: ({ id = '' }) => <PendingApprovalPage key={id} id={id} /> },
  { pattern: '/activity/:id', page: ({ id = '' }) => <EventPage key={id} id={id} /> },
  { pattern: '/agents', page: () => <AgentsPage /> },
  { pattern: '/agents/register', isPublic: true, page: () => <RegisterAgentPage /> },
  { pattern: '/agents/:id', page: ({ id = '' }) => <AgentPage key={id} id={id} /> },
  { pattern: '/alerts', page: () => <AlertsPage /> },
  { pattern: '/api-keys', page: () => <ApiKeysPage /> },
  { pattern: '/approvals', page: () => <ApprovalsPage /> },
  { pattern: '/audit', page: () => <AuditPage /> },
  { pattern: '/endpoints', page: () => <EndpointsPage /> },
  { pattern: '/endpoints/register', page: () => <RegisterEndpointPage /> },
  { pattern: '/endpoints/:id', page: ({ id = '' }) => <EndpointPage key={id} id={id} /> },
  { pattern: '/forgot-password', isPublic: true, page: () => <ForgotPasswordPage /> },
  { pattern: '/invitations/:token', page: ({ token = '' }) => <InvitationPage token={token} /> },
  { pattern: '/kyd', page: () => <KydPage /> },
  { pattern: '/operator', page: () => <OperatorPage /> },
  { pattern: '/operator/:id', page: ({ id = '' }) => <OperatorCasePage key={id} id={id} /> },
  { pattern: '/organisations', page: () => <OrganisationsPage /> },
  { pattern: '/organisations/:id', page: ({ id = '' }) => <OrganisationPage key={id} id={id} /> },
  { pattern: '/registration-requests', page: () => <RegistrationRequestsPage /> },
  {
    pattern: '/registration-requests/:id',
    page: ({ id = '' }) => <RegistrationRequestPage key={id} id={id} />,
  },
  { pattern: '/reset-password', isPublic: true, page: () => <ResetPasswordPage /> },
  { pattern: '/sign-in/callback', isPublic: true, page: () => <SignInCallbackPage /> },
  { pattern: '/verify-email', isPublic: true, page: () => <ConfirmEmailPage /> },
]

/** The page at an address. */
export function findPage(path: string): { page: ReactNode; isPublic: boolean } {
  for (const { pattern, page, isPublic = false } of PAGES) {
    const params = matchPath(pattern, path)
    if (params !== null) return { page: page(params), isPublic }
  }
  return { page: <NotFoundPage />, isPublic: true }
}
