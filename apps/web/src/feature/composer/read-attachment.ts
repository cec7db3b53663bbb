import { imageTypeOf, type Attachment } from "./attachment.ts";

/** How much of a file is read to recognize text. */
const LOOKED_BYTES = 8_192;

let count = 0;

/** Reads a file into the form that the server takes; throws if it is not an image, a PDF or text. */
export async function readAttachment(file: File): Promise<Attachment> {
  const { name, size } = file;
  count += 1;
  const facts = { id: String(count), name, bytes: size };
  const imageType = imageTypeOf(file.type);
  if (imageType) {
    const source = { type: "base64", media_type: imageType, data: await base64From(file) } as const;
    return { ...facts, block: { type: "image", source } };
  }
  const isPdf = file.type === "application/pdf";
  if (!isPdf && !(await isText(file))) {
    throw new Error(`${name} is not an image, a PDF or a text file.`);
  }
  const media_type = isPdf ? "application/pdf" : "text/plain";
  const source = { type: "base64", media_type, data: await base64From(file) } as const;
  return { ...facts, block: { type: "document", title: name, source } };
}

async function isText(file: File): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, LOOKED_BYTES).arrayBuffer());
  return !start.includes(0);
}

function base64From(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("error", () => reject(new Error(`${file.name} cannot be read.`)));
    reader.addEventListener("load", () => {
      const url = typeof reader.result === "string" ? reader.result : "";
      resolve(url.slice(url.indexOf(",") + 1));
    });
    reader.readAsDataURL(file);
  });
}
