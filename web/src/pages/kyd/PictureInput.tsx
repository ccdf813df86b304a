import { FileInput, Image, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'
import { toDataUrl } from '../../api/readPicture.ts'

const BYTES_MAX = 8 * 1024 * 1024

type Props = {
  label: string
  description: string
  file: File | null
  /** What the service has found wrong with it. */
  fault: string | undefined
  onChange: (file: File | null) => void
}

/** Chooses a picture, or takes one on a phone, and previews it; rejects one that is too large. */
export function PictureInput({ label, description, file, fault, onChange }: Props) {
  const [error, setError] = useState<string | null>(null)
  const address = usePreview(file)
  const choose = (chosen: File | null) => {
    const isTooLarge = chosen !== null && chosen.size > BYTES_MAX
    setError(isTooLarge ? 'The file is over 8 MiB. Take the picture again in a lower resolution.' : null)
    onChange(isTooLarge ? null : chosen)
  }
  return (
    <Stack gap="xs">
      <FileInput
        label={label}
        description={description}
        placeholder="Choose a picture"
        styles={{ placeholder: { color: 'var(--mantine-color-dimmed)' } }}
        accept="image/jpeg,image/png"
        clearable
        clearButtonProps={{ 'aria-label': `Remove: ${label}` }}
        value={file}
        onChange={choose}
        error={error ?? fault}
      />
      {address && <Image src={address} alt={`${label}, preview`} mah={240} fit="contain" radius="sm" />}
    </Stack>
  )
}

function usePreview(file: File | null): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    let isCurrent = true
    setAddress(null)
    if (file !== null) {
      toDataUrl(file)
        .then((read) => isCurrent && setAddress(read))
        .catch(() => null)
    }
    return () => {
      isCurrent = false
    }
  }, [file])
  return address
}
