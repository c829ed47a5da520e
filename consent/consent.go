// Package consent decides what a URL is before a person opens it.
package consent
