import type { ReactNode } from 'react'
import { loadLater } from '../router/loadLater.ts'
import { matchPath } from '../router/matchPath.ts'
import { Redirect } from '../router/Redirect.tsx'
import { frameCode } from '../shell/frameCode.ts'
import { isPublicPath } from './isPublicPath.ts'

type Row = {
  pattern: string
  page: (params: Record<string, string>) => ReactNode
}

const AccountPage = loadLater(async () => (await import('./account/AccountPage.tsx')).AccountPage)
const AccountsList = loadLater(async () => (await import('./moderation/AccountsList.tsx')).AccountsList)
const ActivityPage = loadLater(async () => (await import('./activity/ActivityPage.tsx')).ActivityPage)
const AdoptAgentPage = loadLater(async () => (await import('./adoptAgent/AdoptAgentPage.tsx')).AdoptAgentPage)
const AgentPage = loadLater(async () => (await import('./agents/AgentPage.tsx')).AgentPage)
const AgentsPage = loadLater(async () => (await import('./agents/AgentsPage.tsx')).AgentsPage)
const AlertsPage = loadLater(async () => (await import('./AlertsPage.tsx')).AlertsPage)
const ApiKeysPage = loadLater(async () => (await import('./apiKeys/ApiKeysPage.tsx')).ApiKeysPage)
const ApprovalsPage = loadLater(async () => (await import('./approvals/ApprovalsPage.tsx')).ApprovalsPage)
const AuditPage = loadLater(async () => (await import('./audit/AuditPage.tsx')).AuditPage)
const ConfirmEmailPage = loadLater(
  async () => (await import('./signIn/ConfirmEmailPage.tsx')).ConfirmEmailPage,
)
const EndpointsList = loadLater(async () => (await import('./moderation/EndpointsList.tsx')).EndpointsList)
const EndpointPage = loadLater(async () => (await import('./endpoints/EndpointPage.tsx')).EndpointPage)
const EndpointsPage = loadLater(async () => (await import('./endpoints/EndpointsPage.tsx')).EndpointsPage)
const EventPage = loadLater(async () => (await import('./activity/EventPage.tsx')).EventPage)
const ForgotPasswordPage = loadLater(
  async () => (await import('./signIn/ForgotPasswordPage.tsx')).ForgotPasswordPage,
)
const InvitationPage = loadLater(
  async () => (await import('./organisations/InvitationPage.tsx')).InvitationPage,
)
const KydPage = loadLater(async () => (await import('./kyd/KydPage.tsx')).KydPage)
const NotFoundPage = loadLater(async () => (await import('./NotFoundPage.tsx')).NotFoundPage)
const OperatorCasePage = loadLater(
  async () => (await import('./operator/OperatorCasePage.tsx')).OperatorCasePage,
)
const OperatorPage = loadLater(async () => (await import('./operator/OperatorPage.tsx')).OperatorPage)
const OrganisationsList = loadLater(
  async () => (await import('./moderation/OrganisationsList.tsx')).OrganisationsList,
)
const PlatformsList = loadLater(async () => (await import('./moderation/PlatformsList.tsx')).PlatformsList)
const OrganisationPage = loadLater(
  async () => (await import('./organisations/OrganisationPage.tsx')).OrganisationPage,
)
const OrganisationsPage = loadLater(
  async () => (await import('./organisations/OrganisationsPage.tsx')).OrganisationsPage,
)
const OverviewPage = loadLater(frameCode.overview)
const ApprovalPage = loadLater(async () => (await import('./approvals/ApprovalPage.tsx')).ApprovalPage)
const ProofPage = loadLater(async () => (await import('./proof/ProofPage.tsx')).ProofPage)
const RegisterAgentPage = loadLater(
  async () => (await import('./registerAgent/RegisterAgentPage.tsx')).RegisterAgentPage,
)
const RegisterEndpointPage = loadLater(
  async () => (await import('./endpoints/RegisterEndpointPage.tsx')).RegisterEndpointPage,
)
const RegistrationRequestPage = loadLater(
  async () => (await import('./registrationRequests/RegistrationRequestPage.tsx')).RegistrationRequestPage,
)
const RegistrationRequestsPage = loadLater(
  async () => (await import('./registrationRequests/RegistrationRequestsPage.tsx')).RegistrationRequestsPage,
)
const ResetPasswordPage = loadLater(
  async () => (await import('./signIn/ResetPasswordPage.tsx')).ResetPasswordPage,
)
const SignInCallbackPage = loadLater(
  async () => (await import('./signIn/SignInCallbackPage.tsx')).SignInCallbackPage,
)

const StatusPage = loadLater(async () => (await import('./status/StatusPage.tsx')).StatusPage)

/** The pages by path pattern; the first match wins. */
const PAGES: readonly Row[] = [
  { pattern: '/', page: () => <OverviewPage /> },
  { pattern: '/account', page: () => <AccountPage /> },
  { pattern: '/activity', page: () => <ActivityPage /> },
  // The address of an approval without its identifier.
  { pattern: '/activity/pending', page: () => <Redirect to="/approvals" /> },
  { pattern: '/activity/pending/:id', page: ({ id = '' }) => <ApprovalPage key={id} id={id} /> },
  { pattern: '/activity/:id', page: ({ id = '' }) => <EventPage key={id} id={id} /> },
  { pattern: '/agents', page: () => <AgentsPage /> },
  { pattern: '/agents/adopt', page: () => <AdoptAgentPage /> },
  { pattern: '/agents/register', page: () => <RegisterAgentPage /> },
  { pattern: '/agents/:id', page: ({ id = '' }) => <AgentPage key={id} id={id} /> },
  { pattern: '/alerts', page: () => <AlertsPage /> },
  { pattern: '/api-keys', page: () => <ApiKeysPage /> },
  { pattern: '/approvals', page: () => <ApprovalsPage /> },
  { pattern: '/audit', page: () => <AuditPage /> },
  { pattern: '/endpoints', page: () => <EndpointsPage /> },
  { pattern: '/endpoints/register', page: () => <RegisterEndpointPage /> },
  { pattern: '/endpoints/:id', page: ({ id = '' }) => <EndpointPage key={id} id={id} /> },
  { pattern: '/forgot-password', page: () => <ForgotPasswordPage /> },
  { pattern: '/invitations/:token', page: ({ token = '' }) => <InvitationPage token={token} /> },
  { pattern: '/kyd', page: () => <KydPage /> },
  { pattern: '/moderation', page: () => <AccountsList /> },
  { pattern: '/moderation/endpoints', page: () => <EndpointsList /> },
  { pattern: '/moderation/organisations', page: () => <OrganisationsList /> },
  { pattern: '/moderation/platforms', page: () => <PlatformsList /> },
  { pattern: '/operator', page: () => <OperatorPage /> },
  { pattern: '/operator/:id', page: ({ id = '' }) => <OperatorCasePage key={id} id={id} /> },
  { pattern: '/organisations', page: () => <OrganisationsPage /> },
  { pattern: '/organisations/:id', page: ({ id = '' }) => <OrganisationPage key={id} id={id} /> },
  { pattern: '/registration-requests', page: () => <RegistrationRequestsPage /> },
  {
    pattern: '/registration-requests/:id',
    page: ({ id = '' }) => <RegistrationRequestPage key={id} id={id} />,
  },
  { pattern: '/reset-password', page: () => <ResetPasswordPage /> },
  { pattern: '/sign-in/callback', page: () => <SignInCallbackPage /> },
  { pattern: '/status', page: () => <StatusPage /> },
  {
    pattern: '/verify/:recordId',
    page: ({ recordId = '' }) => <ProofPage key={recordId} recordId={recordId} />,
  },
  { pattern: '/verify-email', page: () => <ConfirmEmailPage /> },
]

/** Finds the page at a path. */
export function findPage(path: string): { page: ReactNode; isPublic: boolean } {
  for (const { pattern, page } of PAGES) {
    const params = matchPath(pattern, path)
    if (params !== null) return { page: page(params), isPublic: isPublicPath(path) }
  }
  return { page: <NotFoundPage />, isPublic: true }
}
