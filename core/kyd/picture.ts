/** A picture that has been read to its end; sides in pixels. */
export type Picture = {
  mediaType: 'image/jpeg' | 'image/png'
  width: number
  height: number
  bytes: Uint8Array
}

/** Why a file is not an acceptable picture. */
export type PictureFault = {
  fault: 'unknown_type' | 'broken' | 'too_small' | 'too_big'
}
