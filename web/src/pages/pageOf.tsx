import type { ReactNode } from 'react'
import { matchPath } from '../router/matchPath.ts'
import { ActivityPage } from './ActivityPage.tsx'
import { AgentPage } from './AgentPage.tsx'
import { AgentsPage } from './AgentsPage.tsx'
import { ApiKeysPage } from './ApiKeysPage.tsx'
import { EndpointPage } from './EndpointPage.tsx'
import { EndpointsPage } from './EndpointsPage.tsx'
import { EventPage } from './EventPage.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'
import { OrganisationsPage } from './OrganisationsPage.tsx'
import { OverviewPage } from './OverviewPage.tsx'
import { PendingApprovalPage } from './PendingApprovalPage.tsx'
import { RegisterAgentPage } from './RegisterAgentPage.tsx'

type Row = {
  pattern: string
  /** May be seen without an account. */
  isPublic?: boolean
  page: (params: Record<string, string>) => ReactNode
}

/** The pages by address; the first that matches is shown. */
const PAGES: readonly Row[] = [
  { pattern: '/', page: () => <OverviewPage /> },
  { pattern: '/activity', page: () => <ActivityPage /> },
  {
    pattern: '/activity/pending/:id',
    isPublic: true,
    page: ({ id = '' }) => <PendingApprovalPage id={id} />,
  },
  { pattern: '/activity/:id', page: ({ id = '' }) => <EventPage key={id} id={id} /> },
  { pattern: '/agents', page: () => <AgentsPage /> },
  { pattern: '/agents/register', isPublic: true, page: () => <RegisterAgentPage /> },
  { pattern: '/agents/:id', page: ({ id = '' }) => <AgentPage key={id} id={id} /> },
  { pattern: '/endpoints', page: () => <EndpointsPage /> },
  { pattern: '/endpoints/:id', page: ({ id = '' }) => <EndpointPage key={id} id={id} /> },
  { pattern: '/api-keys', page: () => <ApiKeysPage /> },
  { pattern: '/organisations', page: () => <OrganisationsPage /> },
]

/** The page at an address. */
export function pageOf(path: string): { page: ReactNode; isPublic: boolean } {
  for (const { pattern, page, isPublic = false } of PAGES) {
    const params = matchPath(pattern, path)
    if (params !== null) return { page: page(params), isPublic }
  }
  return { page: <NotFoundPage />, isPublic: true }
}
