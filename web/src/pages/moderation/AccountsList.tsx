import type { ListedAccount } from '@svc/core/contract/interventions.ts'
import { useApiList } from '../../api/useApiList.ts'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'
import { ModerationPage, useListQuery } from './ModerationPage.tsx'
import type { Measure, Subject } from './measure.ts'
import { NoSubjects } from './NoSubjects.tsx'
import { SubjectList } from './SubjectList.tsx'

const SUSPEND: Measure = {
  key: 'POST /api/admin/accounts/:id/suspend',
  list: 'GET /api/admin/accounts',
  label: 'Suspend',
  title: 'Suspend this account?',
  action: 'Suspend',
  consequences: [
    'It is signed out everywhere and cannot sign in.',
    'Its API keys are refused, also those that it created for an organisation.',
    'Requests of its agents are denied as not active.',
    'Its organisations continue with their other members. Suspend them too if that is not what you want.',
    'Nothing is deleted. You can end the suspension at any time.',
  ],
  told: 'Sent to the owner by e-mail, and shown at the next attempt to sign in.',
  isRelief: false,
  done: 'is suspended, and the owner was told why',
}

const RESUME: Measure = {
  ...SUSPEND,
  key: 'POST /api/admin/accounts/:id/resume',
  label: 'End suspension',
  title: 'End the suspension of this account?',
  action: 'End suspension',
  consequences: ['It can sign in again.', 'Its API keys and its agents work as before.'],
  told: 'Sent to the owner by e-mail.',
  isRelief: true,
  done: 'is no longer suspended, and the owner was told so',
}

/** The accounts of the service, which an operator can suspend. */
export function AccountsList() {
  const query = useApiList('GET /api/admin/accounts', { query: useListQuery() })
  return (
    <ModerationPage
      path="/moderation"
      searchHint="Beginning of an e-mail address or a name; or a whole identifier or wallet address"
      states={['active', 'suspended']}
    >
      <SubjectList query={query} toSubject={toSubject} empty={<NoSubjects icon="person" what="accounts" />} />
    </ModerationPage>
  )
}

function toSubject(account: ListedAccount): Subject {
  const {
    developerId: id,
    email,
    fullName,
    role,
    kydStatus,
    createdAt,
    status,
    intervention,
    isOwn,
  } = account
  const name = fullName ?? email ?? id
  return {
    ...{ id, name, status, intervention, isOwn },
    summary: [...new Set([name, email, id])].filter(Boolean).join(' · '),
    about: (
      <>
        {[email, id].filter(Boolean).join(' · ')} · created <When time={createdAt} />
      </>
    ),
    badges: (
      <>
        {role === 'operator' && <StatusBadge value="operator" />}
        {kydStatus === 'verified' && <StatusBadge value="verified" prefix="identity" />}
      </>
    ),
    measure: status === 'active' ? SUSPEND : RESUME,
  }
}
