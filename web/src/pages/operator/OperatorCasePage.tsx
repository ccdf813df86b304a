import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core'
import type { KydCase, OpenKydCase } from '@svc/core/contract/kyd.ts'
import { useQuery } from '@tanstack/react-query'
import { cacheKeyOf } from '../../api/call.ts'
import { readPicture } from '../../api/readPicture.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { Section } from '../../parts/Section.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'
import { COMPARISON_WORDS } from './comparisonWords.ts'
import { DecideCase } from './DecideCase.tsx'
import { NameComparison } from './NameComparison.tsx'
import { ZoomPicture } from './ZoomPicture.tsx'

/** An identity case: the pictures side by side, the machine-readable zone and the decision. */
export function OperatorCasePage({ id }: { id: string }) {
  const query = useApiQuery('GET /api/admin/kyd/:id', { params: { id } })
  const found = query.data?.case
  return (
    <>
      <PageHeader
        title={found?.fullName ?? found?.email ?? 'Identity review'}
        back={{ to: '/operator', name: 'Identity review' }}
      />
      <Loaded query={query}>
        {({ case: open }) => (
          <Stack gap="lg">
            <About open={open} />
            <Documents open={open} />
            {open.mrz && <Zone mrz={open.mrz} account={open.fullName} />}
            {open.status === 'pending' && <DecideCase id={id} isOwn={open.isOwn} />}
          </Stack>
        )}
      </Loaded>
    </>
  )
}

function About({ open }: { open: KydCase }) {
  return (
    <Section title="Account" right={<StatusBadge value={open.status} />}>
      <Facts
        facts={[
          ['Name', open.fullName],
          ['E-mail', open.email],
          ['Developer identifier', <CopyText key="id" text={open.developerId} name="developer identifier" />],
          ['Submitted', <When key="in" time={open.submittedAt} />],
          ['Decided', open.decidedAt && <When key="at" time={open.decidedAt} />],
          ['Decided by', open.decidedBy],
          ['Reason', open.reason],
          ['Compared', open.compared?.map((one) => COMPARISON_WORDS[one]).join('. ')],
        ]}
      />
    </Section>
  )
}

function Documents({ open }: { open: OpenKydCase }) {
  return (
    <Section
      title="Pictures"
      description={
        open.status === 'pending'
          ? 'Compare the passport photo with the current picture: are they the same person? A click enlarges.'
          : undefined
      }
    >
      {open.documents.length === 0 ? (
        <Text c="dimmed">Deleted according to the operator’s policy.</Text>
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {open.documents.map(({ kind, width, height }) => (
            <DocumentPicture
              key={kind}
              document={{ id: open.id, kind }}
              name={kind === 'passport' ? 'Passport' : 'Person'}
              about={`${width} × ${height} pixels`}
            />
          ))}
        </SimpleGrid>
      )}
    </Section>
  )
}

function Zone({ mrz, account }: { mrz: NonNullable<OpenKydCase['mrz']>; account: string | null }) {
  return (
    <Section
      title="Machine-readable zone"
      description="Typed by the owner, with valid check digits. Compare it with the picture, and the names with the account."
    >
      <NameComparison account={account} document={mrz} />
      <Facts
        facts={[
          ['Surname', mrz.surname],
          ['Given names', mrz.givenNames],
          ['Passport number', mrz.documentNumber],
          ['Date of birth', mrz.birthDate],
          ['Sex', mrz.sex],
          ['Nationality', mrz.nationality],
          ['Issuing state', mrz.issuer],
          ['Date of expiry', mrz.expiryDate],
        ]}
      />
    </Section>
  )
}

const PICTURE = 'GET /api/admin/kyd/:id/documents/:kind'

type Props = { document: { id: string; kind: string }; name: string; about: string }

/** A picture of a case; not cached after leaving the page. The download has the full resolution. */
function DocumentPicture({ document, name, about }: Props) {
  const query = useQuery({
    queryKey: cacheKeyOf(PICTURE, { params: document }),
    queryFn: () => readPicture(PICTURE, { params: document }),
    gcTime: 0,
    staleTime: Infinity,
  })
  return (
    <figure style={{ margin: 0, minWidth: 0 }}>
      <Loaded query={query}>
        {(address) => (
          <>
            <ZoomPicture address={address} name={name} />
            <Anchor href={address} download={name.toLowerCase()} size="sm">
              Download the {name.toLowerCase()} picture in full resolution
            </Anchor>
          </>
        )}
      </Loaded>
      <Text component="figcaption" size="sm" c="dimmed">
        {name}, {about}
      </Text>
    </figure>
  )
}
