import type { ListedOrganization } from '@svc/core/contract/interventions.ts'
import { useApiList } from '../../api/useApiList.ts'
import { When } from '../../parts/When.tsx'
import { ModerationPage, useListQuery } from './ModerationPage.tsx'
import type { Measure, Subject } from './measure.ts'
import { NoSubjects } from './NoSubjects.tsx'
import { SubjectList } from './SubjectList.tsx'

const SUSPEND: Measure = {
  key: 'POST /api/admin/organizations/:id/suspend',
  list: 'GET /api/admin/organizations',
  label: 'Suspend',
  title: 'Suspend this organisation?',
  action: 'Suspend',
  consequences: [
    'Its API keys are refused, and its endpoints admit nobody.',
    'Its members can read, but cannot change anything of it. Their own accounts continue.',
    'Requests of its agents are denied as not active.',
    'Nothing is deleted. You can end the suspension at any time.',
  ],
  told: 'Sent to its owners and admins by e-mail, and shown to all members as an alert.',
  isRelief: false,
  done: 'is suspended, and its owners and admins were told why',
}

const RESUME: Measure = {
  ...SUSPEND,
  key: 'POST /api/admin/organizations/:id/resume',
  label: 'End suspension',
  title: 'End the suspension of this organisation?',
  action: 'End suspension',
  consequences: ['Its API keys, endpoints, agents and members work as before.'],
  isRelief: true,
  done: 'is no longer suspended, and its owners and admins were told so',
}

/** The organisations of the service, which an operator can suspend. */
export function OrganisationsList() {
  const query = useApiList('GET /api/admin/organizations', { query: useListQuery() })
  return (
    <ModerationPage
      path="/moderation/organisations"
      searchHint="Beginning of a name, or a whole identifier"
      states={['active', 'suspended']}
    >
      <SubjectList
        query={query}
        toSubject={toSubject}
        empty={<NoSubjects icon="organisations" what="organisations" />}
      />
    </ModerationPage>
  )
}

function toSubject(organisation: ListedOrganization): Subject {
  const { organizationId: id, name, createdBy, memberCount, createdAt } = organisation
  const { status, intervention, isOwn } = organisation
  return {
    ...{ id, name, status, intervention, isOwn },
    summary: `${name} · ${id}`,
    about: (
      <>
        {id} · {memberCount === 1 ? '1 member' : `${memberCount} members`} · created <When time={createdAt} />{' '}
        by {createdBy}
      </>
    ),
    measure: status === 'active' ? SUSPEND : RESUME,
  }
}
