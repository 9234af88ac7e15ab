import { crc32, deflateSync } from 'node:zlib';

const fromBase64 = (text: string) => Buffer.from(text, 'base64');

/** Small pictures by different encoders: 6 × 4 pixels (`restartJpeg` 40 × 24). */
export const pictures = {
  jpeg: fromBase64(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71' +
      '////m8H////6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4' +
      '+Pj4+Pj4+Pj/wAARCAAEAAYDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QA' +
      'FQEBAQAAAAAAAAAAAAAAAAAAAwT/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCcAqV//9k=',
  ),
  progressiveJpeg: fromBase64(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71' +
      '////m8H////6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4' +
      '+Pj4+Pj4+Pj/wgARCAAEAAYDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAVAQEBAAAAAAAAAAAAAAAAAAACA//a' +
      'AAwDAQACEAMQAAABmFL/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAEFAn//xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAED' +
      'AQE/AX//xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAECAQE/AX//xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAY/An//xAAU' +
      'EAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAE/IX//2gAMAwEAAgADAAAAEAv/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAEDAQE/' +
      'EH//xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAECAQE/EH//xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAE/EH//2Q==',
  ),
  restartJpeg: fromBase64(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71' +
      '////m8H////6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4' +
      '+Pj4+Pj4+Pj/wAARCAAYACgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QA' +
      'FQEBAQAAAAAAAAAAAAAAAAAAAwT/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/90ABAAB/9oADAMBAAIRAxEAPwCYAqV//9CYAqV//9GY' +
      'AqV//9KYAqV//9OYAqV//9SYAqV//9k=',
  ),
  lossyWebp: fromBase64('UklGRjIAAABXRUJQVlA4ICYAAABwAQCdASoGAAQABUB8JbACdAFAAAD+5fobNfYYk/Qr1l99GgAAAA=='),
  losslessWebp: fromBase64('UklGRiQAAABXRUJQVlA4TBcAAAAvBcAAAA/wjKyPoJ8hb/5jCe/5ieh/NAA='),
  alphaWebp: fromBase64(
    'UklGRloAAABXRUJQVlA4WAoAAAAQAAAABQAAAwAAQUxQSA0AAAABDzD/ERHiPj8R/Q8HAFZQOCAmAAAAcAEAnQEqBgAEAAVAfCWw' +
      'AnQBQAAA/uX6GzX2GJPr731eVOZAAAA=',
  ),
  animatedWebp: fromBase64(
    'UklGRtQAAABXRUJQVlA4WAoAAAACAAAABQAAAwAAQU5JTQYAAAAAAAAAAABBTk1GPgAAAAAAAAAAAAUAAAMAAGQAAAJWUDggJgAA' +
      'AFABAJ0BKgYABAAFQHwlsAAEdAAA/uUK/1bTB1Wf/0K9ZffRoAAAQU5NRmIAAAAAAAAAAAAFAAADAABkAAAAVlA4IEoAAABUAQCd' +
      'ASoGAAQAAAB8JbAABHQAAP7ut/4MS94/b+fOzcd1UISP6ZBCns7L07OzM5o/l27ZWrierZ6ftxS8Yf9x5/NaNMOdHgAAAA==',
  ),
  gif: fromBase64('R0lGODdhBgAEAIEAAOhZDAtyhQAAAAAAACwAAAAABgAEAAAIDQADCBwYAADBgwgDBAQAOw=='),
};

/** A gray PNG of any size; it compresses a thousandfold. `textChunk` goes into a comment of the image. */
export function png(width: number, height: number, textChunk = ''): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // One bit a pixel, gray.
  header[8] = 1;
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...(textChunk === '' ? [] : [chunk('tEXt', Buffer.from(`Comment\0${textChunk}`, 'latin1'))]),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
