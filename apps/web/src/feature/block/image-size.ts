export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Enough of a file to find the size of the image. */
const HEAD_LENGTH = 64 * 1024;

/** The size in an image's header, so that its space is reserved before it is shown. */
export function imageSize(base64: string): ImageSize | undefined {
  let bytes: Uint8Array;
  try {
    bytes = Uint8Array.from(atob(base64.slice(0, HEAD_LENGTH)), (char) => char.charCodeAt(0));
  } catch {
    return undefined; // not base64: there is nothing to show
  }
  const view = new DataView(bytes.buffer);
  const size = pngSize(view) ?? gifSize(view) ?? webpSize(view) ?? jpegSize(view);
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

function pngSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 24 || view.getUint32(0) !== 0x89504e47) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function gifSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 10 || view.getUint32(0) !== 0x47494638) return undefined;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** WebP has three layouts: lossy, lossless and extended. */
function webpSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 30 || view.getUint32(0) !== 0x52494646) return undefined;
  switch (view.getUint32(12)) {
    case 0x56503820:
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case 0x5650384c: {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 0x56503858: {
      const width = (view.getUint32(24, true) & 0xffffff) + 1;
      const height = (view.getUint16(27, true) | (view.getUint8(29) << 16)) + 1;
      return { width, height };
    }
    default:
      return undefined;
  }
}

/** A JPEG is a sequence of segments; the one that starts the frame has the size. */
function jpegSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  for (let place = 2; place + 9 < view.byteLength;) {
    const marker = view.getUint8(place + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (view.getUint8(place) !== 0xff) return undefined;
    if (isFrame) return { height: view.getUint16(place + 5), width: view.getUint16(place + 7) };
    place += 2 + view.getUint16(place + 2);
  }
  return undefined;
}
