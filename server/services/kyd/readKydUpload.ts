import type { FieldError } from '@svc/core/fieldErrors.ts'
import { cleanPicture } from '@svc/core/kyd/cleanPicture.ts'
import { type MrzFacts, parseMrz } from '@svc/core/kyd/parseMrz.ts'
import type { Picture, PictureFault } from '@svc/core/kyd/picture.ts'
import { validationError } from '../../errors.ts'
import type { KydDocumentKind } from '../../store/accounts/kydStore.ts'

/** The submitted files and fields, as received. */
export type KydUpload = {
  files: Readonly<Record<string, Uint8Array>>
  fields: Readonly<Record<string, string>>
}

/** The validated parts of a submission. */
export type ReadKydUpload = { mrz: MrzFacts; pictures: Record<KydDocumentKind, Picture> }

const FAULTS: Record<PictureFault['fault'], FieldError['message']> = {
  unknown_type: 'expected a JPEG or PNG picture',
  broken: 'the picture is damaged, or not whole',
  too_small: 'both sides of the picture have to have 200 pixels at least',
  too_big: 'the picture has more than 64 million pixels, or a side of more than 12,000',
}

/**
 * Validates a submission for identity verification.
 *
 * @throws ApiError VALIDATION_ERROR that names everything missing or wrong, by part and by field of the machine-readable
 * zone.
 */
export function readKydUpload({ files, fields }: KydUpload, now: number): ReadKydUpload {
  const errors: FieldError[] = []
  const picture = (kind: KydDocumentKind): Picture | null => {
    const file = files[kind]
    const cleaned: Picture | PictureFault | null = file === undefined ? null : cleanPicture(file)
    if (cleaned !== null && !('fault' in cleaned)) return cleaned
    const pointer = `/${kind}`
    errors.push(
      cleaned === null
        ? { pointer, code: 'required', message: 'this picture is missing' }
        : { pointer, code: `picture_${cleaned.fault}`, message: FAULTS[cleaned.fault] },
    )
    return null
  }
  const [passport, selfie] = [picture('passport'), picture('selfie')]
  const mrz = parseZone(fields.mrz, new Date(now).toISOString().slice(0, 10))
  if (!mrz.ok) errors.push(...mrz.errors)
  if (!passport || !selfie || !mrz.ok) throw validationError(errors)
  return { mrz: mrz.facts, pictures: { passport, selfie } }
}

function parseZone(text: string | undefined, today: string): ReturnType<typeof parseMrz> {
  if (text !== undefined) return parseMrz(text, today)
  const message = 'the two lines of the passport’s machine readable zone are missing'
  return { ok: false, errors: [{ pointer: '/mrz', code: 'required', message }] }
}
