import { Button, Group, Stack, Text } from '@mantine/core'
import type { DataExport, Me } from '@svc/core/contract/accounts.ts'
import { useMutation } from '@tanstack/react-query'
import { withAccessToken } from '../../api/callApi.ts'
import { fetchResponse } from '../../api/request.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { withFreshProof } from '../../api/withFreshProof.ts'
import { saveFile } from '../../parts/code/saveFile.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'

const POLL_MS = 3_000
/** Enough for a large file over a slow connection. */
const DOWNLOAD_MS = 30 * 60_000
const DAY_MS = 24 * 60 * 60_000

/** Requests a copy of everything stored about the person, and downloads it once it is ready. */
export function ExportData({ me }: { me: Me }) {
  const { dataExport } = me
  const isPreparing = dataExport?.status === 'preparing'
  useApiQuery('GET /api/me', isPreparing ? { pollMs: POLL_MS } : {})
  const request = useApiMutation('POST /api/me/export', { invalidates: ['GET /api/me'] })
  const download = useMutation({ mutationFn: downloadExport })
  const isBusy = isPreparing || request.isPending
  const isReady = dataExport?.status === 'ready'
  return (
    <Stack gap="xs">
      <Group>
        {/* One button in every state, and not a disabled one while it prepares, so that the focus stays on it. */}
        <Button
          variant="default"
          loading={download.isPending}
          data-disabled={isBusy || undefined}
          aria-disabled={isBusy}
          onClick={() => {
            if (isBusy) return
            if (isReady) download.mutate()
            else request.mutate()
          }}
        >
          {isBusy ? 'Preparing…' : isReady ? 'Download my data' : 'Export my data'}
        </Button>
        {isReady && !isBusy && Date.now() - Date.parse(dataExport.requestedAt) >= DAY_MS && (
          <Button variant="subtle" onClick={() => request.mutate()}>
            Export again
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {describeExport(dataExport, me.user.email !== null)}
      </Text>
      <FailureNote error={request.error ?? download.error} />
    </Stack>
  )
}

function describeExport(dataExport: DataExport | null, hasEmail: boolean): string {
  if (dataExport === null) return 'A zip archive of JSON files, prepared in the background, once a day.'
  if (dataExport.status === 'failed') return 'Your data could not be exported. Please try again.'
  if (dataExport.expiresAt === null) {
    return hasEmail
      ? 'Your data is being prepared. You will get an e-mail when it is ready.'
      : 'Your data is being prepared. You can leave this page and come back.'
  }
  const day = new Date(dataExport.expiresAt).toLocaleDateString('en-GB', { dateStyle: 'long' })
  return `Your data is ready (${formatSize(dataExport.sizeBytes ?? 0)}). You can download it until ${day}, with your passkey or soon after signing in.`
}

function formatSize(bytes: number): string {
  const [unit, size] = bytes < 1_000_000 ? ['kilobyte', bytes / 1_000] : ['megabyte', bytes / 1_000_000]
  return new Intl.NumberFormat('en', { style: 'unit', unit, maximumFractionDigits: 1 }).format(size)
}

async function downloadExport(): Promise<void> {
  const file = await withFreshProof((elevation) =>
    withAccessToken(async (token) => {
      const call = { timeoutMs: DOWNLOAD_MS }
      return (await fetchResponse('GET /api/me/export', call, { token, elevation })).blob()
    }),
  )
  saveFile(file, 'my-data.zip')
}
