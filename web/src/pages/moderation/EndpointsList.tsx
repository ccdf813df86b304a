import type { ListedEndpoint } from '@svc/core/contract/interventions.ts'
import { useApiList } from '../../api/useApiList.ts'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'
import { ModerationPage, useListQuery } from './ModerationPage.tsx'
import type { Measure, Subject } from './measure.ts'
import { NoSubjects } from './NoSubjects.tsx'
import { SubjectList } from './SubjectList.tsx'

const RELEASE: Measure = {
  key: 'POST /api/admin/endpoints/:id/release',
  list: 'GET /api/admin/endpoints',
  label: 'Release URL',
  title: 'Release this URL?',
  action: 'Release URL',
  consequences: [
    'The endpoint is archived with its history, and all requests to it are denied.',
    'Others can register its URL. This cannot be undone.',
    'Its owner could be the first to register the URL again. Suspend the organisation to prevent that.',
  ],
  told: 'Sent to the owners and admins of its organisation by e-mail, and shown to all members as an alert.',
  isRelief: false,
  done: 'is archived, and its owners and admins were told why',
  describeRest: (answer) => describeOthers('othersOnHost' in answer ? answer.othersOnHost : 0),
}

function describeOthers(count: number): string {
  if (count === 0) return 'Others can register its URL now.'
  const endpoints = count === 1 ? 'another endpoint' : `${count} other endpoints`
  return `Its owner has ${endpoints} on this host, which stays the owner’s until they are released too.`
}

/** The claimed endpoints of the service, whose URLs an operator can release. */
export function EndpointsList() {
  const query = useApiList('GET /api/admin/endpoints', { query: useListQuery() })
  return (
    <ModerationPage
      path="/moderation/endpoints"
      searchHint="Beginning of a host or a name; or a URL, or a whole identifier of the endpoint or its owner"
      states={['active', 'deactivated', 'archived']}
    >
      <SubjectList
        query={query}
        toSubject={toSubject}
        empty={<NoSubjects icon="endpoints" what="endpoints" />}
      />
    </ModerationPage>
  )
}

function toSubject(endpoint: ListedEndpoint): Subject {
  const {
    svceId: id,
    name,
    counterpartyUrl,
    ownerId,
    tier,
    createdAt,
    status,
    intervention,
    isOwn,
  } = endpoint
  return {
    ...{ id, name, status, intervention, isOwn },
    summary: `${name} · ${counterpartyUrl}`,
    about: (
      <>
        {counterpartyUrl} · {id} · of {ownerId} · registered <When time={createdAt} />
      </>
    ),
    badges: <StatusBadge value={tier} />,
    measure: status === 'archived' ? null : RELEASE,
  }
}
