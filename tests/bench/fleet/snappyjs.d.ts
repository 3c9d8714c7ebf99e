declare module "snappyjs" {
  const snappy: { compress(bytes: Buffer): Buffer };
  export default snappy;
}
