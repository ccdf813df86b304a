import { Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { ApiFailure } from '../../api/apiFailure.ts'
import { callApi } from '../../api/callApi.ts'
import type { AssertionOptions } from '../../api/passkeyCeremonies.ts'
import type { RegistrationRequest } from '../../api/types.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { BoundaryView } from '../../parts/BoundaryView.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Loaded } from '../../parts/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { Section } from '../../parts/Section.tsx'
import { useAddress } from '../../router/navigate.ts'
import { ApprovalActions } from '../approvals/ApprovalActions.tsx'
import { ApprovalNotFound } from '../approvals/ApprovalNotFound.tsx'
import { RequestedAgentSection } from './RequestedAgentSection.tsx'
import { RequestStatusNote } from './RequestStatusNote.tsx'

const POLL_MS = 5_000

type Shown = RegistrationRequest & { assertionOptions: AssertionOptions | null }

/** A registration request: the agent, its boundary, the requester, and the actions to approve or deny. */
export function RegistrationRequestPage({ id }: { id: string }) {
  const path = `/api/registration-requests/${encodeURIComponent(id)}`
  const token = useAddress().search.get('token')
  const claim = useClaimByToken(path, token)
  const query = useApiQuery<{ request: Shown }>(path, { enabled: !claim.isPending })
  const request = query.data?.request
  useApiQuery(path, { pollMs: POLL_MS, enabled: request?.status === 'pending' })
  const queries = useQueryClient()
  const refresh = useCallback(() => {
    for (const one of [path, '/api/registration-requests', '/api/alerts', '/api/agents']) {
      void queries.invalidateQueries({ queryKey: [one] })
    }
  }, [queries, path])
  const isMissing = query.error instanceof ApiFailure && query.error.status === 404
  return (
    <>
      <PageHeader
        title={request ? `Register ${request.registration.name}?` : 'Registration request'}
        back={{ to: '/registration-requests', name: 'Registration requests' }}
      />
      {isMissing ? (
        <Stack gap="lg">
          <FailureNote error={claim.error} />
          <ApprovalNotFound />
        </Stack>
      ) : (
        <Loaded query={query}>
          {({ request: found }) => (
            <Stack gap="lg">
              <RequestStatusNote request={found} onExpire={refresh} />
              <RequestedAgentSection request={found} />
              <Section
                title="Requested boundary"
                description="The most that the agent may do (PDLSS). It cannot be changed after the registration, and only you can read it."
              >
                <BoundaryView boundary={found.registration.pdlss} />
              </Section>
              {found.status === 'pending' && (
                <ApprovalActions
                  approval={found}
                  path={path}
                  denialNote="The agent will not be registered, and the requester is notified. This cannot be undone, but they can ask again."
                  takesReason
                  onChange={refresh}
                />
              )}
            </Stack>
          )}
        </Loaded>
      )}
    </>
  )
}

/**
 * Claims a registration request for the signed-in account with the token from the mail; does nothing without a token.
 *
 * The same account can claim again, so reloading the page is harmless.
 */
function useClaimByToken(path: string, token: string | null) {
  const query = useQuery({
    queryKey: [`${path}/claim`, token],
    queryFn: () => callApi<object>({ method: 'POST', path: `${path}/claim`, body: { token } }),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { isPending: token !== null && query.isPending, error: query.error }
}
