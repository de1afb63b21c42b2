package company

// purpose keeps draws for different things apart.
type purpose uint64

const (
	purposeLoader purpose = iota + 1
	purposeWidth
	purposeInput
	purposePhase
	purposeFrequency
	purposeOwner
	purposeDuration
	purposeFailure
	purposeRunID
	purposePadding
)

// hash mixes the seed with what is drawn for, after SplitMix64 (Steele, Lea, Flood 2014).
func (c *Company) hash(p purpose, parts ...int) uint64 {
	h := mix(c.seed + uint64(p)*0x9E3779B97F4A7C15)
	for _, part := range parts {
		h = mix(h ^ (uint64(part) + 0x9E3779B97F4A7C15))
	}
	return h
}

func mix(z uint64) uint64 {
	z += 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// uniform draws from [0, 1).
func (c *Company) uniform(p purpose, parts ...int) float64 {
	return float64(c.hash(p, parts...)>>11) / (1 << 53)
}

// skewed draws one of n, the low numbers far more often: of 1,000, the first ten get a fifth of all draws and the
// second half gets another fifth, so that a few tables are read by everyone.
func (c *Company) skewed(n int, p purpose, parts ...int) int {
	u := c.uniform(p, parts...)
	return int(u * u * u * float64(n))
}
