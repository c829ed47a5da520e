package config

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"time"

	"parley/assets/i18n"
)

// watchPause is the time between two looks at the file. A look costs one stat;
// the file is read only when that has changed. Looking works on every disk, also
// one over a network, and through editors that put a new file in the place of
// the old one.
const watchPause = 2 * time.Second

// lookout is what is known of the file on disk.
type lookout struct {
	info os.FileInfo // nil: there was none
	at   time.Time   // when that was found out
	sum  [sha256.Size]byte
	// outside tells that an edit of somebody else was read and not told yet.
	outside bool
	// doubtful tells that the file was broken or gone at the last look: an
	// editor may be about to write it.
	doubtful bool
	// broken is what is wrong with the file as it stands: it cannot be
	// understood, cannot be read, or was deleted.
	broken i18n.Message
}

// read notes what was read of the file.
func (l *lookout) read(raw []byte, err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return
	}
	if sum := sha256.Sum256(raw); sum != l.sum {
		l.sum, l.outside = sum, true
	}
}

// seen notes that what is in memory is what is on disk; raw is what was written
// there, nil if it was only read.
func (l *lookout) seen(path string, raw []byte) {
	if raw != nil {
		l.sum = sha256.Sum256(raw)
	} else {
		l.outside = false // nobody had seen the list before
	}
	l.broken, l.doubtful = i18n.Message{}, false
	l.info, _ = os.Stat(path)
	l.at = time.Now()
}

// moved reports whether the file may be another one than at the last look. One
// that had just been written then may have been written again within the same
// tick of the disk's clock.
func (l *lookout) moved(path string) bool {
	before, at := l.info, l.at
	l.info, _ = os.Stat(path)
	l.at = time.Now()
	if before == nil || l.info == nil {
		return (before == nil) != (l.info == nil)
	}
	return !os.SameFile(before, l.info) || before.Size() != l.info.Size() || !before.ModTime().Equal(l.info.ModTime()) ||
		at.Sub(before.ModTime()) < watchPause
}

// Watch looks at the file until ctx ends, and calls changed when somebody else
// has edited it: the list, the settings or the problems are others then. A file
// that is broken, gone or cannot be read is looked at twice before it counts, and
// is named by Problems until it is whole again or the next change writes it anew:
// one that is gone is an empty list, the others leave the list as it is.
func (s *Store) Watch(ctx context.Context, changed func()) {
	ticker := time.NewTicker(watchPause)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if s.lookAgain() {
				changed()
			}
		}
	}
}

// lookAgain takes in what was edited outside and reports whether there was
// anything.
func (s *Store) lookAgain() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := &s.look
	if moved := l.moved(s.Path()); !moved && !l.doubtful && !l.outside {
		return false
	}
	doc, err := s.load()
	if (err != nil || l.info == nil) && !l.doubtful {
		l.doubtful = true
		return false
	}
	was := l.broken
	if err != nil {
		// What keeps the file from being read may go without a trace in its
		// times, so it is looked at again.
		l.doubtful, l.outside = isDisk(err), false
		l.broken = brokenOutside(err)
		s.publish()
		return english.Text(was) != english.Text(l.broken)
	}
	told := l.outside || !was.IsZero()
	l.broken = i18n.Message{}
	if l.info == nil && len(s.doc.servers) > 0 {
		l.broken = i18n.M("cli.config_gone_outside")
	}
	s.doc, l.doubtful, l.outside = doc, false, false
	s.publish()
	return told
}

// brokenOutside says why the file, which was whole before, gives no list now.
func brokenOutside(err error) i18n.Message {
	if disk, ok := errors.AsType[*diskError](err); ok {
		return i18n.M("cli.config_unreadable_outside", "Reason", withoutPath(disk.err).Error())
	}
	return i18n.M("cli.config_broken_outside", "Reason", reason(err))
}
