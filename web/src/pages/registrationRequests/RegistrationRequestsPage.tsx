import { SegmentedControl, Text } from '@mantine/core'
import type { RegistrationRequest } from '../../api/types.ts'
import { PENDING_POLL_MS, useApiList } from '../../api/useApiList.ts'
import { EmptyNote } from '../../parts/EmptyNote.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { RowLink } from '../../parts/RowLink.tsx'
import { Rows } from '../../parts/Rows.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'
import { navigate, useAddress } from '../../router/navigate.ts'
import { whoAsks } from './AskedAgentSection.tsx'

/** Agents that somebody wants registered as the account's: what waits, and all there was. */
export function RegistrationRequestsPage() {
  const { search } = useAddress()
  const isAll = search.get('show') === 'all'
  const query = useApiList<RegistrationRequest>(
    '/api/registration-requests',
    isAll ? {} : { status: 'pending' },
    { pollMs: PENDING_POLL_MS },
  )
  return (
    <>
      <PageHeader
        title="Registration requests"
        description="Agents that somebody wants registered as yours. It takes your passkey; without an answer a request lapses after seven days."
      >
        <SegmentedControl
          aria-label="Which requests"
          value={isAll ? 'all' : 'pending'}
          onChange={(value) =>
            navigate(value === 'all' ? '/registration-requests?show=all' : '/registration-requests', {
              replace: true,
            })
          }
          data={[
            { value: 'pending', label: 'Waiting' },
            { value: 'all', label: 'All' },
          ]}
        />
      </PageHeader>
      <Rows query={query} empty={<Nothing isAll={isAll} />}>
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
      about={[whoAsks(request), reason].filter(Boolean).join(' · ')}
    >
      <StatusBadge value={status} />
      <Text size="sm" c="dimmed" component="span" miw={{ base: 0, xs: 90 }} ta="right">
        <When time={requestedAt} />
      </Text>
    </RowLink>
  )
}

function Nothing({ isAll }: { isAll: boolean }) {
  return (
    <EmptyNote
      icon="requests"
      title={isAll ? 'Nobody has asked yet' : 'Nothing waits for you'}
      description="You are asked when a program registers an agent with one of your API keys, or when a counterparty asks the owner of an agent by your e-mail address. You get a mail, and it shows here."
    >
      {!isAll && (
        <LinkButton to="/registration-requests?show=all" variant="default">
          Earlier ones
        </LinkButton>
      )}
      <LinkButton to="/agents/register" variant="light">
        Register an agent yourself
      </LinkButton>
    </EmptyNote>
  )
}
