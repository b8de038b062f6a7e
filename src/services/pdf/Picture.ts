/** `data` holds the pixels in rows from the top, each as a byte of red, green, blue and opacity. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}
