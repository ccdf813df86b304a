import { Stack } from '@mantine/core'
import type { RequestOptions } from '@svc/core/contract/passkeys.ts'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { ApiFailure } from '../../api/apiFailure.ts'
import { callApi } from '../../api/callApi.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { BoundaryView } from '../../parts/BoundaryView.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { Section } from '../../parts/Section.tsx'
import { useAddress } from '../../router/navigate.ts'
import { ApprovalActions } from '../approvals/ApprovalActions.tsx'
import { ApprovalNotFound } from '../approvals/ApprovalNotFound.tsx'
import { type Added, AddedFields } from './AddedFields.tsx'
import { RequestedAgentSection } from './RequestedAgentSection.tsx'
import { RequestStatusNote } from './RequestStatusNote.tsx'

const POLL_MS = 5_000
const READ = 'GET /api/registration-requests/:requestId'
const CLAIM = 'POST /api/registration-requests/:requestId/claim'

/** A registration request: the agent, its boundary, the requester, and the actions to approve or deny. */
export function RegistrationRequestPage({ id }: { id: string }) {
  const params = { requestId: id }
  const [added, setAdded] = useState<Added>({})
  const token = useAddress().search.get('token')
  const claim = useClaimByToken(id, token)
  const query = useApiQuery(READ, { params, enabled: !claim.isPending })
  const request = query.data?.request
  useApiQuery(READ, { params, pollMs: POLL_MS, enabled: request?.status === 'pending' })
  const invalidate = useInvalidate()
  const refresh = useCallback(() => {
    void invalidate([
      [READ, { requestId: id }],
      'GET /api/registration-requests',
      'GET /api/alerts',
      'GET /api/agents',
    ])
  }, [invalidate, id])
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
              {isOutreach(found) ? (
                <AddedFields registration={found.registration} added={added} onChange={setAdded} />
              ) : (
                <Section
                  title="Requested boundary"
                  description="The most that the agent may do (PDLSS). It cannot be changed after the registration, and only you can read it."
                >
                  <BoundaryView boundary={found.registration.pdlss} side="agent" />
                </Section>
              )}
              {found.status === 'pending' && (
                <ApprovalActions
                  approval={found}
                  resource={[READ, params]}
                  {...(isOutreach(found) ? { fetchOptions: () => fetchOptions(id, added) } : {})}
                  onApprove={(response) =>
                    callApi('POST /api/registration-requests/:requestId/approve', {
                      params,
                      body: { response, ...(isOutreach(found) ? added : {}) },
                    })
                  }
                  onDeny={(reason) =>
                    callApi('POST /api/registration-requests/:requestId/deny', { params, body: { reason } })
                  }
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

/** The passkey signs what the owner has added, too. */
async function fetchOptions(requestId: string, added: Added): Promise<RequestOptions | null> {
  const call = { params: { requestId }, body: added }
  return (await callApi('POST /api/registration-requests/:requestId/options', call)).assertionOptions
}

/** A stranger's request names little more than the agent; while it is pending, the owner adds the rest. */
function isOutreach({ kind, status }: { kind: string; status: string }): boolean {
  return kind === 'outreach' && status === 'pending'
}

/**
 * Claims a registration request for the signed-in account with the token from the mail; does nothing without a token.
 *
 * The same account can claim again, so reloading the page is harmless.
 */
function useClaimByToken(requestId: string, token: string | null) {
  const query = useQuery({
    queryKey: [CLAIM, requestId, token],
    queryFn: token === null ? skipToken : () => callApi(CLAIM, { params: { requestId }, body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { isPending: token !== null && query.isPending, error: query.error }
}
