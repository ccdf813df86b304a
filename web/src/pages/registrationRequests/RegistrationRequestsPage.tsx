import { Text } from '@mantine/core'
import type { RegistrationRequest } from '@svc/core/contract/registrationRequests.ts'
import { PENDING_POLL_MS, useApiList } from '../../api/useApiList.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { EmptyNote } from '../../parts/lists/EmptyNote.tsx'
import { OpenOrAll, ShowAll, useIsAll } from '../../parts/lists/OpenOrAll.tsx'
import { RowLink } from '../../parts/lists/RowLink.tsx'
import { Rows } from '../../parts/lists/Rows.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'
import { describeRequester } from './RequestedAgentSection.tsx'

/** Requests to register an agent under the account: pending ones, or all. */
export function RegistrationRequestsPage() {
  const isAll = useIsAll()
  const query = useApiList('GET /api/registration-requests', {
    query: isAll ? {} : { status: 'pending' },
    pollMs: PENDING_POLL_MS,
  })
  return (
    <>
      <PageHeader
        title="Registration requests"
        description="Requests to register an agent as yours. Approving requires your passkey; unanswered requests expire after seven days."
      >
        <OpenOrAll path="/registration-requests" name="requests" open="Pending" />
      </PageHeader>
      <Rows query={query} empty={<Nothing />}>
        {(request) => <RequestRow key={request.requestId} request={request} />}
      </Rows>
    </>
  )
}

function RequestRow({ request }: { request: RegistrationRequest }) {
  const { requestId, status, registration, reason, requestedAt } = request
  return (
    <RowLink
      to={`/registration-requests/${requestId}`}
      title={registration.name}
      about={[`Requested by ${describeRequester(request)}`, reason].filter(Boolean).join(' · ')}
    >
      <StatusBadge value={status} />
      <Text size="sm" c="dimmed" component="span" miw={{ base: 0, xs: 90 }} ta="right">
        <When time={requestedAt} />
      </Text>
    </RowLink>
  )
}

function Nothing() {
  const isAll = useIsAll()
  return (
    <EmptyNote
      icon="requests"
      title={isAll ? 'No requests yet' : 'No pending requests'}
      description="A request appears here, and you are notified by e-mail, when a program registers an agent with one of your API keys, or when a counterparty names your e-mail address as the owner of an agent."
    >
      <ShowAll path="/registration-requests" />
      <LinkButton to="/agents/register" variant="light">
        Register an agent yourself
      </LinkButton>
    </EmptyNote>
  )
}
